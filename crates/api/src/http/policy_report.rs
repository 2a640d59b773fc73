//! Reports of browsers about what the policy of a page has blocked. All are counted, one a minute is logged; nothing is stored.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use cabinet_metrics::{CSP_REPORTS, Directive, Word as _};
use serde_json::Value;

use crate::http::client_address::ClientAddress;
use crate::state::ApiState;

/// Largest accepted body, in bytes.
pub const BODY_BYTES_MAX: usize = 16 * 1024;
/// Reports that are read of one body.
const REPORTS_MAX: usize = 10;
/// `POST /api/csp-report`. Anybody may send anything, so nothing of a report but its directive and a host is logged.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    body: Bytes,
) -> StatusCode {
    if !state.limits.reads_policy_report(address) {
        return StatusCode::TOO_MANY_REQUESTS;
    }
    let Ok(content) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    for report in reports(&content).take(REPORTS_MAX) {
        CSP_REPORTS.count(report.directive);
        if !state.limits.logs_policy_report() {
            continue;
        }
        tracing::warn!(
            csp.directive = report.directive.word(),
            csp.blocked = report.blocked,
            csp.page = report.page,
            "A browser has blocked something on a page"
        );
    }
    StatusCode::NO_CONTENT
}

/// What is kept of a report.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    directive: Directive,
    /// The origin of what was blocked, or a word such as `inline`.
    blocked: String,
    /// The first part of the page's path: the rest may name an order or hold a ticket.
    page: String,
}

/// Reads the reports of a body: one in the older form (`report-uri`), a list in the newer (`report-to`).
fn reports(content: &Value) -> Box<dyn Iterator<Item = Report> + Send + '_> {
    match content {
        Value::Array(list) => {
            let violations = list.iter().filter(|one| one["type"] == "csp-violation");
            Box::new(violations.map(|one| {
                let body = &one["body"];
                report(
                    &body["effectiveDirective"],
                    &body["blockedURL"],
                    &body["documentURL"],
                )
            }))
        }
        one => {
            let body = one.get("csp-report").into_iter();
            Box::new(body.map(|body| {
                let directive = match &body["effective-directive"] {
                    Value::Null => &body["violated-directive"],
                    directive => directive,
                };
                report(directive, &body["blocked-uri"], &body["document-uri"])
            }))
        }
    }
}

fn report(directive: &Value, blocked: &Value, page: &Value) -> Report {
    // The older form may have the whole directive, with its sources.
    let directive = directive.as_str().unwrap_or_default();
    let name = directive.split(' ').next().unwrap_or_default();
    Report {
        directive: Directive::of(name),
        blocked: origin_of(blocked.as_str().unwrap_or_default()),
        page: first_part(page.as_str().unwrap_or_default()),
    }
}

/// Returns the origin of an address, or the word that stands in its place.
fn origin_of(text: &str) -> String {
    let origin = match text.split_once("://") {
        None => text
            .split(['/', '?', '#', ':'])
            .next()
            .unwrap_or_default()
            .to_owned(),
        Some((scheme, rest)) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            // A user name or password may stand before the host.
            let host = host.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}")
        }
    };
    plain(&origin)
}

/// Returns the first part of an address's path.
fn first_part(text: &str) -> String {
    let path = text.split_once("://").map_or("", |(_, rest)| {
        rest.split_once('/').map_or("", |(_, path)| path)
    });
    format!(
        "/{}",
        plain(path.split(['/', '?', '#']).next().unwrap_or_default())
    )
}

/// Returns the characters of hosts and paths, and not too many of them.
fn plain(text: &str) -> String {
    let kept = |char: &char| char.is_ascii_alphanumeric() || "-._:/[]".contains(*char);
    text.chars().filter(kept).take(100).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(content: &Value) -> Vec<Report> {
        reports(content).collect()
    }

    fn expected(directive: &str, blocked: &str, page: &str) -> Report {
        Report {
            directive: Directive::of(directive),
            blocked: blocked.to_owned(),
            page: page.to_owned(),
        }
    }

    #[test]
    fn both_forms_are_read_and_only_directive_origin_and_first_part_are_kept() {
        let older = json!({ "csp-report": {
            "violated-directive": "script-src 'self'",
            "blocked-uri": "https://user:secret@evil.example/x.js?phone=380501112233",
            "document-uri": "https://cabinet.example/cards-frame/open/ticket?inn=1234567890#x",
        }});
        let newer = json!([
            { "type": "csp-violation", "body": {
                "effectiveDirective": "style-src-elem", "blockedURL": "inline", "documentURL": "https://cabinet.example/?client=1",
            }},
            { "type": "deprecation", "body": {} },
        ]);
        assert_eq!(
            read(&older),
            [expected(
                "script-src",
                "https://evil.example",
                "/cards-frame"
            )]
        );
        assert_eq!(read(&newer), [expected("style-src-elem", "inline", "/")]);
    }

    #[test]
    fn what_strangers_make_up_reaches_no_label_and_no_line() {
        let content = json!({ "csp-report": {
            "effective-directive": "made-up\n",
            "blocked-uri": "data:text/html,<b>4242424242424242",
            "document-uri": ["x"],
        }});
        assert_eq!(read(&content), [expected("other", "data", "/")]);
        assert_eq!(read(&json!({})), []);
        assert_eq!(read(&json!("text")), []);
        let long = format!("https://{}\n\u{1b}", "x".repeat(1_000));
        assert_eq!(origin_of(&long).len(), 100);
    }
}
