//! Extractors. Each one proves a fact about the request, so a handler that needs the fact can't be written without the check.

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::{
    HeaderStyle, Operation, Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr,
    SchemaObject,
};
use axum::Json;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_app::{Asker, Signer};
use cabinet_domain::{Key, Locale, NotaryId, SessionId};
use schemars::{JsonSchema, json_schema};
use serde::de::DeserializeOwned;

pub use crate::http::client_address::ClientAddress;
use crate::http::keys_once::KeysOnce;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// Largest accepted body, in bytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// Largest accepted body of the calls that carry a sheet of payments: 200 rows, or a file of 350 KB in Base64.
pub const SHEET_BYTES_MAX: usize = 512 * 1024;

/// Largest accepted body of the calls that carry a statement of a bank: a file of 700 KB in Base64. Proxies stop at 1 MB.
pub const STATEMENT_BYTES_MAX: usize = 960_000;

/// The body as a JSON object of the shape `T`, in which no object has a key twice. Unknown fields are ignored.
pub struct ValidJson<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for ValidJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        // A form of another site can send text that parses as JSON, but not with this content type. This prevents login by
        // cross-site request forgery.
        if !says_json(request.headers()) {
            return Err(Refusal::new(RefusalKind::Unreadable, Key::BodyUnreadable));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| {
                if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
                    Refusal::new(RefusalKind::TooLarge, Key::BodyTooLarge)
                } else {
                    Refusal::new(RefusalKind::Unreadable, Key::BodyUnreadable)
                }
            })?;
        let unreadable = |_| Refusal::new(RefusalKind::Unreadable, Key::BodyUnreadable);
        // A byte order mark may be ignored (RFC 8259, 8.1), and some programs write one.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let KeysOnce = serde_json::from_slice(bytes).map_err(unreadable)?;
        // Parsed as an object first: serde also accepts an array in place of a struct, and does not validate unknown fields.
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(bytes).map_err(unreadable)?;
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

/// The body as a JSON object of the shape `T`, or the default where the request has no body.
pub struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        if request.body().is_end_stream() {
            return Ok(OptionalJson(T::default()));
        }
        let ValidJson(value) = ValidJson::from_request(request, state).await?;
        Ok(OptionalJson(value))
    }
}

impl<T: JsonSchema> OperationInput for OptionalJson<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        Json::<T>::operation_input(ctx, operation);
        if let Some(ReferenceOr::Item(body)) = &mut operation.request_body {
            body.required = false;
        }
    }
}

/// Returns whether the content type is JSON, with any parameters.
fn says_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The query of the address. Its values are strings; the handler parses and refuses them by name.
pub struct ValidQuery<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let Query(value) = Query::<T>::from_request_parts(parts, state)
            .await
            .map_err(|_| Refusal::new(RefusalKind::Unreadable, Key::BodyUnreadable))?;
        Ok(ValidQuery(value))
    }
}

impl<T: JsonSchema> OperationInput for ValidQuery<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        Query::<T>::operation_input(ctx, operation);
    }
}

/// A signed-in caller: the access token is valid and its session is alive on the server.
#[derive(Clone, Copy, Debug)]
pub struct SignedIn {
    /// Owner of the session.
    pub notary: NotaryId,
    /// The session.
    pub session: SessionId,
}

impl SignedIn {
    /// Returns who wants a saved card to be charged.
    pub fn signer(self) -> Signer {
        Signer {
            notary: self.notary,
            session: self.session,
        }
    }
}

impl FromRequestParts<ApiState> for SignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        Bearer(claimed(parts, state)?).signed_in(state).await
    }
}

impl OperationInput for SignedIn {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        needs_token(operation);
    }
}

/// A caller with a valid access token. The use case finds out, in the unit of work that does what is asked, whether its session is alive.
#[derive(Clone, Copy, Debug)]
pub struct Bearer(SignedIn);

impl Bearer {
    /// Returns who asks a use case that finds out.
    pub fn asker(self) -> Asker {
        Asker::with_token(self.0.notary, self.0.session)
    }

    /// Returns who wants something of a use case that finds out.
    pub fn signer(self) -> Signer {
        self.0.signer()
    }

    /// Returns the session of the token.
    pub fn session(self) -> SessionId {
        self.0.session
    }

    /// Finds out now.
    pub async fn signed_in(self, state: &ApiState) -> Result<SignedIn, Refusal> {
        let Bearer(SignedIn { notary, session }) = self;
        let accounts = &state.services.accounts;
        if accounts.is_session_alive(notary, session).await? {
            Ok(self.0)
        } else {
            Err(Refusal::unauthorized())
        }
    }
}

impl FromRequestParts<ApiState> for Bearer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        Ok(Bearer(claimed(parts, state)?))
    }
}

impl OperationInput for Bearer {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        needs_token(operation);
    }
}

/// A caller who may be signed in.
#[derive(Clone, Copy, Debug)]
pub struct MaybeSignedIn(pub Option<SignedIn>);

impl FromRequestParts<ApiState> for MaybeSignedIn {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        // An invalid token is refused, so that the browser refreshes it; it does not count as no token.
        match bearer(&parts.headers) {
            None => Ok(MaybeSignedIn(None)),
            Some(_) => Ok(MaybeSignedIn(Some(
                SignedIn::from_request_parts(parts, state).await?,
            ))),
        }
    }
}

impl OperationInput for MaybeSignedIn {}

/// The session of the access token, if it is alive. For calls that also do without one.
#[derive(Clone, Copy, Debug)]
pub struct MaybeSession(pub Option<SignedIn>);

impl FromRequestParts<ApiState> for MaybeSession {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        match SignedIn::from_request_parts(parts, state).await {
            Ok(who) => Ok(MaybeSession(Some(who))),
            Err(refusal) if refusal.is(RefusalKind::Unauthorized) => Ok(MaybeSession(None)),
            Err(refusal) => Err(refusal),
        }
    }
}

impl OperationInput for MaybeSession {}

/// A caller who has signed up: the session is alive, the phone may not be verified yet.
#[derive(Clone, Copy, Debug)]
pub struct SigningUp(pub SignedIn);

impl FromRequestParts<ApiState> for SigningUp {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let claimed = claimed(parts, state)?;
        if !state
            .services
            .accounts
            .is_sign_up_session_alive(claimed.notary, claimed.session)
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

/// Returns the caller named by the token. Does not check whether the session is alive.
fn claimed(parts: &Parts, state: &ApiState) -> Result<SignedIn, Refusal> {
    named_by_token(&parts.headers, state).ok_or_else(Refusal::unauthorized)
}

/// Returns the caller whom a valid token names, whether or not the session is alive.
pub fn named_by_token(headers: &HeaderMap, state: &ApiState) -> Option<SignedIn> {
    let claims = state
        .access_tokens
        .read(bearer(headers)?, state.services.now())?;
    Some(SignedIn {
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

/// Returns the token of the `Authorization: Bearer` header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    // The name of a scheme is read in any case (RFC 9110, 11.1).
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start_matches(' '))
}

/// The first supported language of `Accept-Language`; Ukrainian by default.
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

/// The `Idempotency-Key` header. Handlers validate its length and characters.
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        // A value that is not text becomes an empty key, which is refused as invalid.
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
