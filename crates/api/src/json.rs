//! JSON answers.

use std::marker::PhantomData;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::refusal::AppError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::refusal::Refusal;

/// Room for most answers; a longer one makes more.
const BYTES_USUAL: usize = 4096;

/// An answer in JSON. The framework's own type begins with little room and passes each sign through a counting writer, which takes
/// half as long again.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match WrittenJson::of(&self.0) {
            Ok(written) => written.into_response(),
            Err(refusal) => refusal.into_response(),
        }
    }
}

/// An answer that is written down already, to be given more than once.
pub struct WrittenJson<T> {
    bytes: Bytes,
    of: PhantomData<fn() -> T>,
}

// By hand, for a derived one would ask the same of `T`.
impl<T> Clone for WrittenJson<T> {
    fn clone(&self) -> Self {
        WrittenJson {
            bytes: self.bytes.clone(),
            of: PhantomData,
        }
    }
}

impl<T: Serialize> WrittenJson<T> {
    /// Writes an answer down.
    ///
    /// # Errors
    /// A fault of ours, where a value has no form in JSON.
    pub fn of(answer: &T) -> Result<WrittenJson<T>, Refusal> {
        let mut bytes = Vec::with_capacity(BYTES_USUAL);
        serde_json::to_writer(&mut bytes, answer).map_err(|error| {
            Refusal::Internal(AppError::Broken(format!(
                "an answer can't be written: {error}"
            )))
        })?;
        Ok(WrittenJson {
            bytes: bytes.into(),
            of: PhantomData,
        })
    }
}

impl<T> WrittenJson<T> {
    /// How long it is.
    pub fn bytes_count(&self) -> usize {
        self.bytes.len()
    }
}

impl<T> IntoResponse for WrittenJson<T> {
    fn into_response(self) -> Response {
        let kind = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, kind)], self.bytes).into_response()
    }
}

impl<T: JsonSchema> OperationOutput for Json<T> {
    type Inner = T;

    fn operation_response(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Option<DocumentedResponse> {
        axum::Json::<T>::operation_response(context, operation)
    }

    fn inferred_responses(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        axum::Json::<T>::inferred_responses(context, operation)
    }
}

impl<T: JsonSchema> OperationOutput for WrittenJson<T> {
    type Inner = T;

    fn operation_response(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Option<DocumentedResponse> {
        Json::<T>::operation_response(context, operation)
    }

    fn inferred_responses(
        context: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        Json::<T>::inferred_responses(context, operation)
    }
}
