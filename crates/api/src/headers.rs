//! Headers that every answer has: what a browser may do with it, and that nobody keeps it.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::state::ApiState;

/// Adds the headers.
pub async fn guard(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    let is_call = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_call {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    add(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(headers, header::REFERRER_POLICY, "same-origin");
    add(
        headers,
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    add(
        headers,
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    add(
        headers,
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=()",
    );
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY)
        && let Ok(policy) = HeaderValue::from_str(&policy(&state))
    {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if state.settings.secure {
        add(
            headers,
            header::STRICT_TRANSPORT_SECURITY,
            "max-age=31536000; includeSubDomains",
        );
    }
    response
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}

/// Scripts, styles and fonts come from our origin alone; frames from there and the acquirer.
fn policy(state: &ApiState) -> String {
    let frames = state.settings.frame_origins.join(" ");
    let socket = state.settings.public_url.replacen("http", "ws", 1);
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
         connect-src 'self' {socket}; frame-src 'self' {frames}; manifest-src 'self'; base-uri 'none'; object-src 'none'; \
         form-action 'self'; frame-ancestors 'self'"
    )
}
