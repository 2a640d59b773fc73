//! The OpenAPI document, generated from the types of the handlers.

use std::sync::LazyLock;

use aide::openapi::{OpenApi, SecurityScheme};
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use crate::routes;

/// Returns the document as JSON.
pub fn openapi() -> Value {
    aide::generate::extract_schemas(true);
    let mut document = OpenApi::default();
    let _ = routes::calls().finish_api_with(&mut document, |api| {
        api.title("The notary cabinet")
            .version(env!("CARGO_PKG_VERSION"))
            .description("Calls of the notary cabinet. Sums are hryvnias with at most two decimals; ids are opaque; times are RFC 3339 in UTC.")
            .security_scheme(
                "access_token",
                SecurityScheme::Http {
                    scheme: "bearer".to_owned(),
                    bearer_format: Some("JWT".to_owned()),
                    description: Some("From `POST /auth/login/otp` or `POST /auth/refresh`".to_owned()),
                    extensions: Default::default(),
                },
            )
    });
    let mut document = serde_json::to_value(document).unwrap_or(Value::Null);
    say_what_is_required(&mut document);
    name_what_stands_in_paths(&mut document);
    document
}

/// Requires the members of an object, or of each variant of one.
fn require_every_member(schema: &mut Map<String, Value>) {
    if let Some(members) = schema.get("properties").and_then(Value::as_object) {
        let members: Vec<Value> = members.keys().cloned().map(Value::String).collect();
        schema.insert("required".to_owned(), Value::Array(members));
    }
    let variants = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for variant in variants.into_iter().flatten() {
        if let Some(variant) = variant.as_object_mut() {
            require_every_member(variant);
        }
    }
}

/// Sets which members are required. The generator can't tell requests from answers: an answer has all its members, possibly null; a
/// request may leave out any, and the server refuses what is missing with a message key.
fn say_what_is_required(document: &mut Value) {
    let schemas = document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if name.ends_with("Request") || name.ends_with("Query") {
            schema.remove("required");
        } else if name != "RefusalBody" {
            require_every_member(schema);
        }
    }
    let paths = document
        .pointer_mut("/paths")
        .and_then(Value::as_object_mut);
    let operations = paths
        .into_iter()
        .flat_map(Map::values_mut)
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut);
    for operation in operations {
        let parameters = operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut);
        for parameter in parameters
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            if parameter.get("in").and_then(Value::as_str) == Some("query") {
                parameter.remove("required");
            }
        }
    }
}

/// Documents each `{name}` of a path as a string parameter. The generator does not see it, because handlers take it as a plain
/// string.
fn name_what_stands_in_paths(document: &mut Value) {
    let paths = document
        .pointer_mut("/paths")
        .and_then(Value::as_object_mut);
    for (path, operations) in paths.into_iter().flatten() {
        let names: Vec<&str> = path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        if names.is_empty() {
            continue;
        }
        let operations = operations.as_object_mut().into_iter();
        for operation in operations
            .flat_map(Map::values_mut)
            .filter_map(Value::as_object_mut)
        {
            let parameters = operation
                .entry("parameters")
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Some(parameters) = parameters.as_array_mut() {
                parameters.extend(names.iter().map(|name| {
                    json!({ "in": "path", "name": name, "required": true, "schema": { "type": "string" } })
                }));
            }
        }
    }
}

/// `GET /api/openapi.json`.
pub async fn handler() -> impl IntoResponse {
    // Serialised once: it does not change while the program runs.
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi().to_string());
    (
        [(header::CONTENT_TYPE, "application/json")],
        DOCUMENT.as_str(),
    )
}
