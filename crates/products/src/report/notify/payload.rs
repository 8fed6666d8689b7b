// SPDX-License-Identifier: Apache-2.0
//! Payloads of receivers, made of a message and its text.

use serde::Serialize;
use serde_json::{Value, json};

use super::message::Message;
use garden_gate_text::escape;
use garden_gate_text::go::clip;

/// Maximum number of characters of a block of Slack, and of blocks in a message.
const BLOCK: usize = 2_900;
const BLOCKS: usize = 40;
/// Maximum size of a card for Teams in bytes; Teams refuses more than 28 KB.
const CARD: usize = 24_000;

/// The JSON of a webhook.
#[derive(Serialize)]
struct Webhook<'a> {
    version: u32,
    #[serde(flatten)]
    message: &'a Message,
}

/// Formats a message as JSON for a webhook.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn document_json(message: &Message) -> serde_json::Result<String> {
    Ok(escape::json(&serde_json::to_string(&Webhook { version: 1, message })?).into_owned())
}

/// Formats a text in the markup of Slack as a message.
///
/// Slack neither looks for links and names in it, nor shows previews of links.
pub fn slack_json(message: &Message, text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = clip(line.to_owned(), BLOCK);
        match blocks.last_mut() {
            Some(block) if block.len() + 1 + line.len() <= BLOCK => {
                block.push('\n');
                block.push_str(&line);
            }
            _ => blocks.push(line),
        }
    }
    let sections = blocks.iter().filter(|it| !it.trim().is_empty()).take(BLOCKS).map(|text| {
        json!({"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": true}})
    });
    let document = json!({
        "text": super::markup::slack(&message.title),
        "blocks": sections.collect::<Vec<Value>>(),
        "unfurl_links": false,
        "unfurl_media": false,
    });
    escape::json(&document.to_string()).into_owned()
}

/// Formats a plain text as an Adaptive Card for a workflow of Teams.
///
/// The text is in runs, which have no markup.
pub fn teams_json(message: &Message, text: &str) -> String {
    let block = |text: &str, weight: &str| {
        json!({
            "type": "RichTextBlock",
            "inlines": [{"type": "TextRun", "text": text, "weight": weight}],
        })
    };
    let mut body = vec![block(&message.title, "Bolder")];
    let mut size = message.title.len();
    for line in text.lines().filter(|it| !it.trim().is_empty() && *it != message.title) {
        let line = block(line, "Default");
        size += line.to_string().len() + 1;
        if size > CARD {
            body.push(block("…", "Default"));
            break;
        }
        body.push(line);
    }
    let document = json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": body,
            },
        }],
    });
    escape::json(&document.to_string()).into_owned()
}
