//! A file as the answer of a call.

use std::io;
use std::marker::PhantomData;

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{MediaType, Operation, Response as DocumentedResponse, SchemaObject};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::DownloadFile;
use cabinet_app::documents::GrowingFile;
use tokio::sync::mpsc::Receiver;
use tokio_stream::wrappers::ReceiverStream;

/// A kind of file.
pub trait FileKind {
    /// Its content type.
    const CONTENT_TYPE: &'static str;
}

/// A PDF document.
pub struct Pdf;

impl FileKind for Pdf {
    const CONTENT_TYPE: &'static str = "application/pdf";
}

/// A ZIP archive.
pub struct Zip;

impl FileKind for Zip {
    const CONTENT_TYPE: &'static str = "application/zip";
}

/// A table of a spreadsheet program.
pub struct Xlsx;

impl FileKind for Xlsx {
    const CONTENT_TYPE: &'static str =
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
}

/// The bytes of a file.
enum Content {
    Whole(Vec<u8>),
    /// They are sent while they are made.
    Growing(Receiver<io::Result<Vec<u8>>>),
}

/// A file to download.
pub struct FileAnswer<Kind> {
    name: String,
    content: Content,
    kind: PhantomData<Kind>,
}

impl<Kind> From<DownloadFile> for FileAnswer<Kind> {
    fn from(file: DownloadFile) -> FileAnswer<Kind> {
        FileAnswer {
            name: file.name,
            content: Content::Whole(file.bytes),
            kind: PhantomData,
        }
    }
}

impl<Kind> From<GrowingFile> for FileAnswer<Kind> {
    fn from(file: GrowingFile) -> FileAnswer<Kind> {
        FileAnswer {
            name: file.name,
            content: Content::Growing(file.pieces),
            kind: PhantomData,
        }
    }
}

/// Returns the headers of a file of this name.
fn headers<Kind: FileKind>(name: &str) -> [(HeaderName, HeaderValue); 2] {
    // File names consist of ids, dates and ASCII words, so they need no escaping.
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(Kind::CONTENT_TYPE),
        ),
        (header::CONTENT_DISPOSITION, disposition),
    ]
}

impl<Kind: FileKind> IntoResponse for FileAnswer<Kind> {
    fn into_response(self) -> Response {
        let headers = headers::<Kind>(&self.name);
        match self.content {
            Content::Whole(bytes) => (headers, bytes).into_response(),
            Content::Growing(pieces) => {
                let body = Body::from_stream(ReceiverStream::new(pieces));
                (headers, body).into_response()
            }
        }
    }
}

impl<Kind: FileKind> OperationOutput for FileAnswer<Kind> {
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
            content: [(Kind::CONTENT_TYPE.to_owned(), media)]
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
