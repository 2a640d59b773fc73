//! Extractors: each proves something, so that a missing check is a missing argument.

use std::net::{IpAddr, SocketAddr};

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::{
    HeaderStyle, Operation, Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr,
    SchemaObject,
};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use cabinet_app::refusal::Sort;
use cabinet_domain::{Key, Locale, NotaryId, SessionId};
use schemars::{JsonSchema, json_schema};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;
use crate::state::ApiState;

/// Largest body of a call, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// A JSON object of the shape `T`. Fields that `T` does not know are dropped.
pub struct ValidJson<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ValidJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        // A form of another site can send a text that reads as JSON, but can't call it so: nobody is signed in by it.
        if !says_json(request.headers()) {
            return Err(Refusal::new(Sort::Unreadable, Key::BodyUnreadable));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| {
                if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
                    Refusal::new(Sort::TooLarge, Key::BodyTooLarge)
                } else {
                    Refusal::new(Sort::Unreadable, Key::BodyUnreadable)
                }
            })?;
        let unreadable = |_| Refusal::new(Sort::Unreadable, Key::BodyUnreadable);
        // An array of the right length would pass for an object, and what a shape does not know is not looked at closely; so the
        // object is asked for first.
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).map_err(unreadable)?;
        let value =
            serde_json::from_value(serde_json::Value::Object(object)).map_err(unreadable)?;
        Ok(ValidJson(value))
    }
}

impl<T: JsonSchema> OperationInput for ValidJson<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        Json::<T>::operation_input(ctx, operation);
    }
}

/// Whether a body calls itself JSON, whatever parameters follow.
fn says_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The query of the address. What does not fit its type is left to the handler, which names it.
pub struct ValidQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(value) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|_| Refusal::new(Sort::Unreadable, Key::BodyUnreadable))?;
        Ok(ValidQuery(value))
    }
}

impl<T: JsonSchema> OperationInput for ValidQuery<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        Query::<T>::operation_input(ctx, operation);
    }
}

/// The caller is signed in: the token is good and its session is alive on the server at this moment.
#[derive(Clone, Copy, Debug)]
pub struct SignedIn {
    /// Whose session it is.
    pub notary: NotaryId,
    /// The session.
    pub session: SessionId,
}

impl FromRequestParts<ApiState> for SignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let claimed = claimed(parts, state)?;
        if !state
            .app
            .session_alive(claimed.notary, claimed.session)
            .await?
        {
            return Err(Refusal::unauthorized());
        }
        Ok(claimed)
    }
}

impl OperationInput for SignedIn {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        needs_token(operation);
    }
}

/// The caller, signed in or not.
#[derive(Clone, Copy, Debug)]
pub struct MaybeSignedIn(pub Option<SignedIn>);

impl FromRequestParts<ApiState> for MaybeSignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        // A token that is no longer good must be renewed, not taken for none.
        match bearer(parts) {
            None => Ok(MaybeSignedIn(None)),
            Some(_) => Ok(MaybeSignedIn(Some(
                SignedIn::from_request_parts(parts, state).await?,
            ))),
        }
    }
}

impl OperationInput for MaybeSignedIn {}

/// The caller has just signed up: the session is alive, its phone may still wait to be verified.
#[derive(Clone, Copy, Debug)]
pub struct SigningUp(pub SignedIn);

impl FromRequestParts<ApiState> for SigningUp {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let claimed = claimed(parts, state)?;
        if !state
            .app
            .session_alive_at_sign_up(claimed.notary, claimed.session)
            .await?
        {
            return Err(Refusal::unauthorized());
        }
        Ok(SigningUp(claimed))
    }
}

impl OperationInput for SigningUp {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        needs_token(operation);
    }
}

/// Returns whom the token names. Whether the session is alive is not asked yet.
fn claimed(parts: &Parts, state: &ApiState) -> Result<SignedIn, Refusal> {
    let claims = bearer(parts)
        .and_then(|token| state.access_tokens.read(token, state.app.now()))
        .ok_or_else(Refusal::unauthorized)?;
    Ok(SignedIn {
        notary: claims.notary,
        session: claims.session,
    })
}

fn needs_token(operation: &mut Operation) {
    operation.security.push(
        [("access_token".to_owned(), Vec::new())]
            .into_iter()
            .collect(),
    );
}

/// The token of the `Authorization: Bearer` header.
pub fn bearer(parts: &Parts) -> Option<&str> {
    parts
        .headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .strip_prefix("Bearer ")
}

/// The language the caller asked for by `Accept-Language`; Ukrainian where nothing fits.
pub struct Language(pub Locale);

impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let wanted = parts
            .headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let locale = wanted
            .split(',')
            .filter_map(|part| part.split([';', '-']).next())
            .find_map(|language| Locale::parse(language.trim()))
            .unwrap_or(Locale::Uk);
        Ok(Language(locale))
    }
}

impl OperationInput for Language {}

/// The `Idempotency-Key` header, where the request has one.
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        // A key that is no text is no key either, and is refused as one that is wrong.
        let key = parts.headers.get("idempotency-key");
        Ok(IdempotencyKey(key.map(|value| {
            value.to_str().unwrap_or_default().to_owned()
        })))
    }
}

impl OperationInput for IdempotencyKey {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        let schema = SchemaObject {
            json_schema: json_schema!({ "type": "string", "minLength": 8, "maxLength": 100 }),
            external_docs: None,
            example: None,
        };
        let parameter_data = ParameterData {
            name: "Idempotency-Key".to_owned(),
            description: Some("Names the intent, 8 to 100 visible ASCII characters: sent again with the same key, nothing happens a second time.".to_owned()),
            required: false,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(schema),
            example: None,
            examples: Default::default(),
            explode: None,
            extensions: Default::default(),
        };
        operation
            .parameters
            .push(ReferenceOr::Item(Parameter::Header {
                parameter_data,
                style: HeaderStyle::Simple,
            }));
    }
}

/// Where the request came from: the peer, or what a trusted proxy says of it.
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<ApiState> for ClientAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(address)| address.ip());
        let header = state.settings.client_address_header.as_ref();
        let told = header.and_then(|name| last_address(&parts.headers, name));
        let address = told
            .or(peer)
            .unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED));
        // A socket that takes both sorts of addresses gives one of version 4 in the clothes of version 6.
        Ok(ClientAddress(address.to_canonical()))
    }
}

/// The address a proxy tells. It appends to what it was told, in the same line or in one of its own, so only the last address of
/// the last line is its own word.
fn last_address(headers: &HeaderMap, name: &HeaderName) -> Option<IpAddr> {
    let line = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next()?.trim().parse().ok()
}

impl OperationInput for ClientAddress {}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn of_the_addresses_in_the_header_only_the_proxys_own_word_counts() {
        let name = HeaderName::from_static("x-forwarded-for");
        let told = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(name.clone(), HeaderValue::from_static(line));
            }
            last_address(&headers, &name).map(|address| address.to_string())
        };
        assert_eq!(
            told(&["203.0.113.9, 198.51.100.7"]).as_deref(),
            Some("198.51.100.7")
        );
        assert_eq!(
            told(&["203.0.113.9", "198.51.100.7"]).as_deref(),
            Some("198.51.100.7")
        );
        assert_eq!(told(&["2001:db8::7"]).as_deref(), Some("2001:db8::7"));
        assert_eq!(told(&["198.51.100.7", "unknown"]), None);
        assert_eq!(told(&[]), None);
    }
}
