//! `POST /cart/sheet/…`, `GET /cart/sheet/template`: payments from a sheet.

use std::collections::BTreeMap;

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_app::cart::sheet::{
    ReadSheet, SHEET_ROWS_MAX, SheetCells, SheetRow, SheetRowToAdd, read_sheet, read_sheet_text,
};
use cabinet_app::kernel::refusal::{FieldErrors, Refusal as AppRefusal, RefusalKind};
use cabinet_domain::{Key, SheetColumn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{IdempotencyKey, Language, SHEET_BYTES_MAX, SignedIn, ValidJson};
use crate::http::fields::{take, take_sum};
use crate::http::file::{FileAnswer, Xlsx};
use crate::http::json::Json;
use crate::http::read_apart::read_apart;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, NumberText, SheetRowReport};

pub fn template_call() -> Call {
    Call::get("/cart/sheet/template", template, |docs| {
        docs.id("cartSheetTemplate")
            .tag("cart")
            .summary("A sheet of payments to fill in, XLSX")
    })
}

pub fn read_call() -> Call {
    Call::post("/cart/sheet/read", read, |docs| {
        docs.id("cartSheetRead")
            .tag("cart")
            .summary("What of a sheet can be added to the cart; stores nothing")
    })
    .with_body_of(SHEET_BYTES_MAX)
}

pub fn choices_call() -> Call {
    Call::post("/cart/sheet/choices", choices, |docs| {
        docs.id("cartSheetChoices")
            .tag("cart")
            .summary("The names that the cells of a row may have")
    })
}

pub fn add_call() -> Call {
    Call::post("/cart/sheet/add", add, |docs| {
        docs.id("cartSheetAdd")
            .tag("cart")
            .summary("Put rows of a sheet into the cart")
    })
    .with_body_of(SHEET_BYTES_MAX)
}

/// `POST /cart/sheet/read`: a file, pasted rows, or rows that were read before and edited.
#[derive(Deserialize, JsonSchema)]
pub struct ReadSheetRequest {
    /// A workbook (XLSX) or a table as text (CSV), in Base64.
    #[serde(default)]
    pub file: Given<String>,
    /// Pasted rows: cells separated by tabs, semicolons or commas.
    #[serde(default)]
    pub text: Given<String>,
    /// Rows of an earlier answer.
    #[serde(default)]
    pub rows: Option<Vec<SheetRowRequest>>,
}

/// A row of a sheet.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SheetRowRequest {
    /// Its number in the sheet.
    pub number: u32,
    /// The texts of its cells by column: `payment_type`, `inn`, `full_name`, `option`, `term`, `region`, `recipient`, `iban`, `okpo`,
    /// `cbc_code`, `purpose`, `amount`, `count`.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
}

/// `POST /cart/sheet/read`: what was found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetReport {
    /// The rows, in the order of the sheet; at most 200.
    pub rows: Vec<SheetRowReport>,
    /// Headings of columns that were not read.
    pub unknown_headings: Vec<String>,
}

/// `POST /cart/sheet/choices`.
#[derive(Deserialize, JsonSchema)]
pub struct SheetChoicesRequest {
    /// As in `POST /cart/sheet/read`.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
}

/// `POST /cart/sheet/choices`: the names by column.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetChoices {
    /// Only of columns whose texts are names of something.
    pub choices: BTreeMap<String, Vec<String>>,
}

/// `POST /cart/sheet/add`.
#[derive(Deserialize, JsonSchema)]
pub struct AddSheetRequest {
    /// The rows that are wanted, as the report has them.
    #[serde(default)]
    pub rows: Option<Vec<SheetRowToAddRequest>>,
}

/// A row that is to be added.
#[derive(Clone, Deserialize, JsonSchema)]
pub struct SheetRowToAddRequest {
    /// Its number in the sheet.
    pub number: u32,
    /// As in `POST /cart/sheet/read`.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
    /// `sum_full` of the report: amount and commission of one unit, as the screen showed it.
    #[serde(default)]
    pub sum: Given<NumberText<Hryvnias>>,
    /// The row is wanted although the same payment was added before, or stands twice in the sheet.
    #[serde(default)]
    pub again: bool,
}

/// `POST /cart/sheet/add`: the payments are in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SheetAdded {
    /// Rows in the cart.
    pub items_count: i64,
    /// How many payments were added.
    pub added: usize,
}

async fn template(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
) -> Result<FileAnswer<Xlsx>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let file = state
        .services
        .cart
        .sheet_template(who.notary, locale)
        .await?;
    Ok(file.into())
}

async fn read(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<ReadSheetRequest>,
) -> Result<Json<SheetReport>, Refusal> {
    let mut errors = FieldErrors::new();
    let file = take(body.file, "file", &mut errors);
    let text = take(body.text, "text", &mut errors);
    let wrong = errors.iter().next().map(|(_, key)| key);
    if let Some(key) = wrong {
        let mut refusal = AppRefusal::new(RefusalKind::Invalid, key);
        refusal.errors = errors;
        return Err(refusal.into());
    }
    let sheet = match (file, text, body.rows) {
        (Some(file), None, None) => {
            // A workbook is unpacked, which costs more than most calls.
            state.limits.count_acquirer_call(who.notary)?;
            let refused = Refusal::new(RefusalKind::Invalid, Key::SheetUnreadable);
            let bytes = STANDARD.decode(file).map_err(|_| refused)?;
            read_apart(&state, move || read_sheet(&bytes), "file").await?
        }
        (None, Some(text), None) => {
            read_apart(&state, move || read_sheet_text(&text), "text").await?
        }
        (None, None, Some(rows)) => ReadSheet {
            rows: rows_of(rows)?,
            unknown_headings: Vec::new(),
        },
        _ => return Err(Refusal::new(RefusalKind::Invalid, Key::SheetEmpty)),
    };
    let cart = &state.services.cart;
    let reports = cart.report_of_sheet(who.notary, sheet.rows, locale).await?;
    let reports = reports.into_iter();
    let rows = reports.map(|report| SheetRowReport::of(report, locale));
    Ok(Json(SheetReport {
        rows: rows.collect::<Result<_, _>>()?,
        unknown_headings: sheet.unknown_headings,
    }))
}

async fn choices(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<SheetChoicesRequest>,
) -> Result<Json<SheetChoices>, Refusal> {
    let cart = &state.services.cart;
    let cells = cells_of(&body.cells);
    let choices = cart.choices_of_row(who.notary, cells, locale).await?;
    let choices = choices.into_iter();
    Ok(Json(SheetChoices {
        choices: choices
            .map(|(column, names)| (column.as_str().to_owned(), names))
            .collect(),
    }))
}

/// Adds rows of a sheet. A repeated request with the same `Idempotency-Key` adds nothing.
async fn add(
    State(state): State<ApiState>,
    who: SignedIn,
    IdempotencyKey(key): IdempotencyKey,
    ValidJson(body): ValidJson<AddSheetRequest>,
) -> Result<Json<SheetAdded>, Refusal> {
    let mut errors = FieldErrors::new();
    let rows = body.rows.unwrap_or_default();
    refuse_many(rows.len())?;
    let rows: Vec<SheetRowToAdd> = rows
        .into_iter()
        .map(|row| SheetRowToAdd {
            sum: take_sum(row.sum, format!("rows.{}.amount", row.number), &mut errors),
            again: row.again,
            row: SheetRow {
                number: row.number,
                cells: cells_of(&row.cells),
            },
        })
        .collect();
    let added = rows.len();
    let cart = &state.services.cart;
    let who = (who.notary, who.session);
    let standing = cart.add_sheet(who, rows, key.as_deref(), errors).await?;
    Ok(Json(SheetAdded {
        items_count: standing.items_count,
        added,
    }))
}

fn rows_of(rows: Vec<SheetRowRequest>) -> Result<Vec<SheetRow>, Refusal> {
    refuse_many(rows.len())?;
    let rows = rows.into_iter().map(|row| SheetRow {
        number: row.number,
        cells: cells_of(&row.cells),
    });
    Ok(rows.collect())
}

fn refuse_many(rows: usize) -> Result<(), Refusal> {
    if rows > SHEET_ROWS_MAX {
        return Err(Refusal::new(RefusalKind::Invalid, Key::SheetTooLarge));
    }
    Ok(())
}

/// Cells of columns that there are not are ignored, as unknown fields are.
fn cells_of(texts: &BTreeMap<String, String>) -> SheetCells {
    let mut cells = SheetCells::default();
    for (column, text) in texts {
        if let Some(column) = SheetColumn::parse(column) {
            cells.set(column, text);
        }
    }
    cells
}
