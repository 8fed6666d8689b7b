use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::state::State;
use crate::garden::live::LiveGarden;

/// How often it is looked whether the watches are in sync; short against what the first lists take.
const INTERVAL: Duration = Duration::from_millis(50);

/// Watches the garden for ever, and says when everything of it is there that the rules in force need.
pub(super) async fn follow(live: Arc<LiveGarden>, state: Arc<State>) {
    tokio::join!(live.watch(), wait_for_sync(&live, &state));
}

/// Readiness does not end when a connection does: an older view is still a view, and what it lacks is asked for.
async fn wait_for_sync(live: &LiveGarden, state: &State) {
    while let Some(missing) = live.missing(&enabled_rules(state)) {
        state.ready.set_garden_wants(missing);
        sleep(INTERVAL).await;
    }
    state.ready.set_garden();
    state.metrics.garden_loaded();
    tracing::info!("every watch of the garden is in sync");
}

fn enabled_rules(state: &State) -> Vec<&'static str> {
    let config = state.config.load();
    let enabled = state.rules.iter().filter(|rule| rule.is_on(&config));
    enabled.map(|rule| rule.id).collect()
}

#[cfg(test)]
mod tests {
    use crate::garden::live::needs;
    use crate::rules;

    #[test]
    fn kinds_are_needed_by_rules_that_exist() {
        for (kind, needing) in needs() {
            for id in needing {
                let family = id.strip_suffix('*');
                let exists = |rule: &&crate::engine::Rule| match family {
                    Some(family) => rule.id.starts_with(family),
                    None => rule.id == *id,
                };
                assert!(rules::ALL.iter().any(exists), "{kind}: {id}");
            }
        }
    }
}
