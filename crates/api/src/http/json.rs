//! JSON answers.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::kernel::refusal::AppError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::refusal::Refusal;

/// Initial buffer size, enough for most answers.
const BYTES_USUAL: usize = 4096;

/// A JSON answer. Used in place of `axum::Json`, which starts with a small buffer and writes through a counting adapter and takes about
/// half as long again.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(BYTES_USUAL);
        match serde_json::to_writer(&mut bytes, &self.0) {
            Ok(()) => {
                let kind = HeaderValue::from_static("application/json");
                ([(header::CONTENT_TYPE, kind)], bytes).into_response()
            }
            Err(error) => Refusal::Internal(AppError::Broken(format!(
                "an answer can't be written: {error}"
            )))
            .into_response(),
        }
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
