// SPDX-License-Identifier: Apache-2.0
//! The answer of a tool: a summary, messages and the document, within a limit.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::document::within;
use super::process::Exited;
use super::summary::summary;
use super::tool::Tool;
use garden_gate_text::escape;

/// Maximum size of the messages of a command in an answer, in bytes.
const MOST_MESSAGES: usize = 4096;
/// Maximum number of these messages.
const MOST_LINES: usize = 30;
/// The exit code of a command that failed.
const FAILED: i32 = 2;

/// Returns an error that the agent reads.
pub(super) fn refused(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(escape::value_within(why, MOST_MESSAGES))])
}

/// Returns the answer of a command in at most `most` bytes.
pub(super) fn answer(tool: Tool, exited: &Exited, most: usize) -> CallToolResult {
    match exited.code {
        None => refused(
            "the command was ended by a signal, perhaps because the machine has no memory left; name fewer objects",
        ),
        Some(FAILED) => failed(&exited.messages),
        Some(_) => {
            let Ok(output) = str::from_utf8(&exited.output) else {
                return refused("the command printed text that is not UTF-8");
            };
            let blocks = match tool {
                Tool::Fix => diff(output, &exited.messages, most),
                _ => document(tool, output, &exited.messages, most),
            };
            blocks.map_or_else(
                || refused(&too_large(tool, output.len(), most)),
                |blocks| {
                    CallToolResult::success(blocks.into_iter().map(ContentBlock::text).collect())
                },
            )
        }
    }
}

fn too_large(tool: Tool, size: usize, most: usize) -> String {
    format!(
        "the result has {size} bytes, more than the {most} bytes of an answer; use {}",
        tool.narrowing()
    )
}

/// Returns the summary and the document, or `None` if the document is too large.
fn document(tool: Tool, output: &str, messages: &str, most: usize) -> Option<Vec<String>> {
    let parsed: Value = serde_json::from_str(output).ok()?;
    let mut summary = summary(&parsed) + &shown(messages, |_| true);
    let found = within(output, parsed, most.saturating_sub(summary.len()))?;
    if !found.shortened.is_empty() {
        summary += &format!(
            "The document is shortened, the most urgent entries first: {}. To see the others, use {}.\n",
            found.shortened.join("; "),
            tool.narrowing()
        );
    }
    let blocks = [summary, found.text];
    Some(blocks.into_iter().filter(|it| !it.is_empty()).collect())
}

/// Returns the messages about fixes and the diff, or `None` if the diff is too large.
fn diff(output: &str, messages: &str, most: usize) -> Option<Vec<String>> {
    // Standard error also has the verdicts as text, which `review` returns.
    let is_of_fix =
        |line: &str| ["would fix: ", "note: ", "warning: "].iter().any(|it| line.starts_with(it));
    let mut text = shown(messages, is_of_fix);
    text += if output.is_empty() {
        "Nothing can be fixed automatically; `review` has the findings and their help.\n"
    } else {
        "Nothing was written. Apply the diff, then review again.\n"
    };
    let blocks = [text, output.to_owned()];
    let size: usize = blocks.iter().map(String::len).sum();
    (size <= most).then(|| blocks.into_iter().filter(|it| !it.is_empty()).collect())
}

/// Returns the first messages of a command, which are escaped, in lines.
fn shown(messages: &str, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let lines: Vec<&str> = messages.lines().filter(|line| is_wanted(line)).collect();
    for (index, line) in lines.iter().enumerate() {
        if index == MOST_LINES || text.len() + line.len() > MOST_MESSAGES {
            text += &format!("and {} more messages\n", lines.len() - index);
            break;
        }
        text += &escape::line(line);
        text.push('\n');
    }
    text
}

fn failed(messages: &str) -> CallToolResult {
    let mut text = shown(messages, |_| true);
    if text.is_empty() {
        "the command failed without a message".clone_into(&mut text);
    }
    if text.contains("--") {
        text += "Flags such as --garden are arguments of this tool, or of the server.\n";
    }
    CallToolResult::error(vec![ContentBlock::text(text)])
}

#[cfg(test)]
mod tests {
    use rmcp::model::CallToolResult;
    use serde_json::{Value, json};

    use super::{Tool, answer};
    use crate::mcp::process::Exited;

    fn exited(code: i32, output: &str, messages: &str) -> Exited {
        Exited {
            code: Some(code),
            output: output.as_bytes().to_vec(),
            messages: messages.to_owned(),
        }
    }

    fn texts(result: &CallToolResult) -> Vec<String> {
        let texts = result.content.iter().map(|it| it.as_text().unwrap().text.clone());
        texts.collect()
    }

    fn review(count: usize) -> String {
        let finding =
            json!({"level": "deny", "finding": "shoot/x", "message": "wrong\u{1b}[31m", "line": 3});
        let object = json!({"file": "a.yaml", "kind": "Shoot", "namespace": "n", "name": "s", "verdict": "denied", "findings": [finding]});
        let summary = json!({"objects": count, "denied": count, "undetermined": 0, "allowed": 0, "refusals": count, "warnings": 0});
        serde_json::to_string_pretty(&json!({"reviews": vec![object; count], "summary": summary}))
            .unwrap()
    }

    #[test]
    fn answer_has_summary_messages_and_document() {
        let result = answer(Tool::Review, &exited(1, &review(2), "note: n\n"), 100_000);
        assert_eq!(result.is_error, Some(false));
        let [summary, document] = texts(&result).try_into().unwrap();
        assert!(summary.starts_with("2 objects: 2 denied"), "{summary}");
        assert!(
            summary.contains("- a.yaml:3: Shoot n/s: refused: wrong\\u{1b}[31m (shoot/x)"),
            "{summary}"
        );
        assert!(summary.contains("shoot/x: 2\n") && summary.contains("note: n\n"), "{summary}");
        assert_eq!(document, review(2));
    }

    #[test]
    fn large_answer_is_bounded_and_names_narrowing_arguments() {
        let messages = "note: x\n".repeat(10_000);
        let result = answer(Tool::Review, &exited(1, &review(5000), &messages), 20_000);
        let [summary, document] = texts(&result).try_into().unwrap();
        assert!(summary.len() + document.len() <= 20_000 + 500, "{}", summary.len());
        assert!(summary.contains(" of 5000") && summary.contains("fewer `paths`"), "{summary}");
        assert!(summary.contains("and 9970 more messages"), "{summary}");
        serde_json::from_str::<Value>(&document).unwrap();
    }

    #[test]
    fn document_that_cannot_be_shortened_is_an_error() {
        let schema = json!({"properties": "x".repeat(20_000)}).to_string();
        let result = answer(Tool::Schema, &exited(0, &schema, ""), 10_000);
        assert_eq!(result.is_error, Some(true));
        assert!(texts(&result)[0].contains("more than the 10000 bytes"));
    }

    #[test]
    fn diff_has_the_messages_about_fixes_only() {
        let messages =
            "would fix: a.yaml:1: x (r)\nerror[shoot/x]: verdict\nnote: 1 finding fixable\n";
        let result = answer(Tool::Fix, &exited(1, "--- a\n", messages), 10_000);
        let [text, diff] = texts(&result).try_into().unwrap();
        assert!(
            text.contains("would fix") && text.contains("1 finding") && !text.contains("verdict")
        );
        assert_eq!(diff, "--- a\n");
        let nothing = answer(Tool::Fix, &exited(0, "", ""), 10_000);
        assert!(texts(&nothing)[0].starts_with("Nothing can be fixed"));
        let large = answer(Tool::Fix, &exited(1, &"-\n".repeat(10_000), ""), 10_000);
        assert_eq!(large.is_error, Some(true));
    }

    #[test]
    fn failure_is_an_error_with_its_message() {
        let result = answer(Tool::Audit, &exited(2, "", "error: use --garden DIR\n"), 10_000);
        assert_eq!(result.is_error, Some(true));
        assert!(texts(&result)[0].starts_with("error: use --garden DIR\nFlags such as"));
        let signal = Exited { code: None, ..exited(0, "", "") };
        assert_eq!(answer(Tool::Audit, &signal, 10_000).is_error, Some(true));
        let output = Exited { output: vec![0xff], ..exited(0, "", "") };
        assert_eq!(answer(Tool::Audit, &output, 10_000).is_error, Some(true));
    }
}
