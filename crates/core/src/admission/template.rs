use serde_json::Value;
use serde_json::value::to_raw_value;

use super::{
    Context, EntryPoint, Findings, Judgement, Kind, Operation, Request, Review, Rule, World, judge,
};

/// A template in the objects of a request: the new and the stored object that it describes, and the rules for them.
pub(crate) struct Template<'t> {
    /// The kind of the described object.
    pub kind: Kind,
    /// The new and the stored object; the latter is absent on CREATE, and if the template was absent.
    pub objects: [Option<&'t Value>; 2],
    /// The rules, of which those for the operation run.
    pub rules: &'t [&'static Rule],
}

impl Template<'_> {
    /// Evaluates the rules, and reports their results as `moved` changes them: their fields are those of the described object.
    pub(crate) fn judge(
        &self,
        context: &Context<'_>,
        moved: impl FnOnce(&mut Review),
        findings: &mut Findings,
    ) {
        let raw = self.objects.map(|it| it.and_then(|it| to_raw_value(it).ok()));
        let [new, old] = [&raw[0], &raw[1]].map(Option::as_deref);
        if new.is_none() {
            return;
        }
        let user = context.request.user_info.clone();
        let name = |object: Option<&Value>, field: &str| {
            let text = object.and_then(|it| it.pointer(field)).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let request = Request {
            name: name(self.objects[0], "/metadata/name"),
            namespace: name(self.objects[0], "/metadata/namespace"),
            is_converted: context.request.is_converted,
            is_template: true,
            ..Request::of_objects(self.kind, user, [new, old])
        };
        debug_assert!(matches!(request.operation, Operation::Create | Operation::Update));
        let world = World {
            rules: self.rules.into(),
            garden: context.garden(),
            config: context.config,
            now: context.now,
        };
        match judge(EntryPoint::Review, &request, &world) {
            Judgement::Review(mut review) => {
                moved(&mut review);
                findings.adopt(review.findings, review.undetermined);
            }
            Judgement::Questions(questions) => context.ask(questions),
        }
    }
}
