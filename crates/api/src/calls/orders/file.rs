//! A file as the answer of a call.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{MediaType, Operation, Response as DocumentedResponse, SchemaObject};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::DownloadFile;

/// A file to download.
pub struct FileAnswer {
    /// Content and name.
    pub file: DownloadFile,
    /// Content type.
    pub content_type: &'static str,
}

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        // File names consist of ids, dates and ASCII words, so they need no escaping.
        let disposition =
            HeaderValue::from_str(&format!("attachment; filename=\"{}\"", self.file.name))
                .unwrap_or(HeaderValue::from_static("attachment"));
        let headers = [
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static(self.content_type),
            ),
            (header::CONTENT_DISPOSITION, disposition),
        ];
        (headers, self.file.bytes).into_response()
    }
}

impl OperationOutput for FileAnswer {
    type Inner = Vec<u8>;

    fn operation_response(_: &mut GenContext, _: &mut Operation) -> Option<DocumentedResponse> {
        let schema = SchemaObject {
            json_schema: schemars::json_schema!({ "type": "string", "format": "binary" }),
            external_docs: None,
            example: None,
        };
        let media = MediaType {
            schema: Some(schema),
            ..MediaType::default()
        };
        Some(DocumentedResponse {
            description: "The document, with its file name in `Content-Disposition`.".to_owned(),
            content: [("application/octet-stream".to_owned(), media)]
                .into_iter()
                .collect(),
            ..DocumentedResponse::default()
        })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        Self::operation_response(ctx, operation)
            .map(|response| vec![(Some(200), response)])
            .unwrap_or_default()
    }
}
