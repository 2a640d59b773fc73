//! `GET /order/{id}/receipt`, `GET /order/item/{id}/receipt`, `GET /order/{id}/receipts`.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{MediaType, Operation, Response as DocumentedResponse, SchemaObject};
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::orders::{ReceiptFile, ReceiptWish};
use cabinet_app::refusal::{Refusal as AppRefusal, Sort};
use cabinet_domain::{Key, Locale};
use cabinet_receipts::ReceiptKind;

use crate::extract::{Language, SignedIn, ValidQuery};
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::ReceiptQuery;

/// A document to download.
pub struct Document {
    /// The document.
    pub file: ReceiptFile,
    /// What it is.
    pub content_type: &'static str,
}

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        // Names are made of an id or days and plain words, so they need no quoting of their own.
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

impl OperationOutput for Document {
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

fn wish(query: &ReceiptQuery, locale: Locale) -> Result<ReceiptWish, Refusal> {
    let kind = match query.receipt_type.as_deref() {
        None | Some("" | "payment") => ReceiptKind::Payment,
        Some("commission") => ReceiptKind::Commission,
        Some(_) => {
            return Err(AppRefusal::new(Sort::Invalid, Key::ReceiptTypeInvalid)
                .on("receipt_type")
                .into());
        }
    };
    Ok(ReceiptWish { kind, locale })
}

/// Receipt of an order.
pub async fn of_order(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidQuery(query): ValidQuery<ReceiptQuery>,
) -> Result<Document, Refusal> {
    let file = state
        .app
        .order_receipt(who.notary, &id, wish(&query, locale)?)
        .await?;
    Ok(Document {
        file,
        content_type: "application/pdf",
    })
}

/// Receipt of an item.
pub async fn of_item(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidQuery(query): ValidQuery<ReceiptQuery>,
) -> Result<Document, Refusal> {
    let file = state
        .app
        .item_receipt(who.notary, &id, wish(&query, locale)?)
        .await?;
    Ok(Document {
        file,
        content_type: "application/pdf",
    })
}

/// All receipts of an order.
pub async fn archive(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Document, Refusal> {
    let file = state.app.receipts_archive(who.notary, &id, locale).await?;
    Ok(Document {
        file,
        content_type: "application/zip",
    })
}
