//! `GET /reports/income-book`: the income book of a period.

use axum::extract::State;

use super::period_query::PeriodQuery;
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidQuery};
use crate::http::file::{FileAnswer, Xlsx};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/reports/income-book", handler, |docs| {
        docs.id("incomeBook")
            .tag("reports")
            .summary("The notary's income by the day of crediting, XLSX; `by` is ignored")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<PeriodQuery>,
) -> Result<FileAnswer<Xlsx>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let reports = &state.services.reports;
    let file = reports
        .income_book(who.notary, &query.into(), locale, origin.by(who))
        .await?;
    Ok(file.into())
}
