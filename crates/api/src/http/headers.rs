//! Security and caching headers of every answer.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::settings::ApiSettings;

/// Returns whether the request is an API call and not for a page.
pub fn is_call(request: &Request) -> bool {
    request.uri().path().starts_with("/api/")
}

/// Adds the headers to an answer. A page's own `Content-Security-Policy` is kept.
pub fn guard(page_policy: &HeaderValue, secure: bool, is_call: bool, headers: &mut HeaderMap) {
    // One allocation for all of them.
    headers.reserve(9);
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
        "camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
    );
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| page_policy.clone());
    add(
        headers,
        HeaderName::from_static("reporting-endpoints"),
        "csp=\"/api/csp-report\"",
    );
    if secure {
        add(
            headers,
            header::STRICT_TRANSPORT_SECURITY,
            "max-age=31536000; includeSubDomains",
        );
    }
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}

/// Returns the `Content-Security-Policy` of the pages: scripts, styles and fonts from our origin only; frames also from the acquirer.
pub fn page_policy(settings: &ApiSettings) -> HeaderValue {
    let frames = settings.frame_origins.join(" ");
    let socket = settings.public_url.replacen("http", "ws", 1);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
         connect-src 'self' {socket}; frame-src 'self' {frames}; manifest-src 'self'; base-uri 'none'; object-src 'none'; \
         form-action 'self'; frame-ancestors 'self'; report-uri /api/csp-report; report-to csp"
    );
    // If an address is not a valid header value, block everything instead of sending no policy.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}
