//! The rows of the tables of deals: how a line becomes a value.

use cabinet_domain::{DealAdjustment, DealBase, DealParty, DealSum, DealUnit, Money, NotaryStatus};

use super::model::{Amount, DealAnswer, DealFact, DealKind, DealLine, DealRule};
use crate::cells::Cells;
use crate::problem::Reason;

/// The longest ground of law, and the longest question, in characters.
const GROUND_CHARS_MAX: usize = 400;

/// The longest code of an income, in characters.
const INCOME_CODE_CHARS_MAX: usize = 10;

pub(crate) fn kind(cells: &mut Cells<'_>) -> Option<DealKind> {
    let id = cells.id("id");
    let name = cells.name("name_uk", "name_en");
    let sums = sums(cells, "sums");
    let optional_sums = sums_or_none(cells, sums.as_deref());
    let income_code = cells.optional_words("income_code", INCOME_CODE_CHARS_MAX);
    Some(DealKind {
        id: id?,
        name: name?,
        sums: sums?,
        optional_sums: optional_sums?,
        income_code: income_code?,
    })
}

fn sums(cells: &mut Cells<'_>, column: &'static str) -> Option<Vec<DealSum>> {
    cells.list(column, |cells, text| {
        DealSum::parse(text).or_else(|| cells.refuse(Reason::WordUnknown { column }))
    })
}

/// The sums that may be left out, all of which the kind names.
fn sums_or_none(cells: &mut Cells<'_>, named: Option<&[DealSum]>) -> Option<Vec<DealSum>> {
    let column = "optional_sums";
    let optional = sums(cells, column)?;
    let is_named = |sum: &DealSum| named.is_none_or(|named| named.contains(sum));
    if optional.iter().all(is_named) {
        Some(optional)
    } else {
        cells.refuse(Reason::WordUnknown { column })
    }
}

pub(crate) fn fact(cells: &mut Cells<'_>) -> Option<DealFact> {
    let id = cells.id("id");
    let kinds = cells.ids("kinds");
    let question = cells.long_name("question_uk", "question_en", GROUND_CHARS_MAX);
    Some(DealFact {
        id: id?,
        kinds: kinds?,
        question: question?,
    })
}

pub(crate) fn answer(cells: &mut Cells<'_>) -> Option<DealAnswer> {
    let id = cells.id("id");
    let fact = cells.id("fact_id");
    let name = cells.name("name_uk", "name_en");
    Some(DealAnswer {
        id: id?,
        fact: fact?,
        name: name?,
    })
}

pub(crate) fn line(cells: &mut Cells<'_>) -> Option<DealLine> {
    let id = cells.id("id");
    let name = cells.name("name_uk", "name_en");
    let template = cells.optional_id("template_id");
    Some(DealLine {
        id: id?,
        name: name?,
        template: template?,
    })
}

pub(crate) fn rule(cells: &mut Cells<'_>) -> Option<DealRule> {
    let id = cells.id("id");
    let line = cells.id("line_id");
    let kinds = cells.ids("kinds");
    let answers = cells.ids_or_none("answers");
    let notary = match cells.raw("notary") {
        "" => Some(None),
        "private" => Some(Some(NotaryStatus::Private)),
        "state" => Some(Some(NotaryStatus::State)),
        _ => cells.refuse(Reason::WordUnknown { column: "notary" }),
    };
    let payer = cells.word("payer", DealParty::parse);
    let amount = amount(cells);
    let for_each = match cells.raw("for_each") {
        "" => Some(None),
        _ => cells.word("for_each", DealUnit::parse).map(Some),
    };
    let withheld = cells.ids_or_none("withheld");
    let is_fee = matches!(amount, Some(Amount::Term(_) | Amount::Option(_)));
    let for_each = match for_each {
        Some(Some(_)) if !is_fee && amount.is_some() => cells.refuse(Reason::ForEachOutOfPlace),
        other => other,
    };
    let ground = cells.long_name("ground_uk", "ground_en", GROUND_CHARS_MAX);
    // It is for whoever keeps the table.
    let source = cells.long_text("source");
    let unconfirmed = cells.optional_words("unconfirmed", GROUND_CHARS_MAX);
    let period = cells.period();
    source?;
    Some(DealRule {
        id: id?,
        line: line?,
        kinds: kinds?,
        answers: answers?.into_iter().collect(),
        notary: notary?,
        payer: payer?,
        amount: amount?,
        for_each: for_each?,
        withheld: withheld?.into_iter().collect(),
        ground: ground?,
        is_unconfirmed: unconfirmed?.is_some(),
        period: period?,
    })
}

/// The columns of the sum, of which one is filled. None is filled where no source tells the sum, which the row then says.
fn amount(cells: &mut Cells<'_>) -> Option<Amount> {
    let filled: Vec<&str> = ["percent", "sum", "term_id", "option_id"]
        .into_iter()
        .filter(|column| !cells.raw(column).is_empty())
        .collect();
    let has_limits = [
        "base",
        "adjusted_by",
        "minimum",
        "maximum",
        "sum_without_base",
    ]
    .into_iter()
    .any(|column| !cells.raw(column).is_empty());
    if has_limits && filled != ["percent"] {
        return cells.refuse(Reason::BaseOutOfPlace);
    }
    match filled.as_slice() {
        ["percent"] => percent(cells),
        ["sum"] => cells.money_or_zero("sum").map(Amount::Fixed),
        ["term_id"] => cells.id("term_id").map(Amount::Term),
        ["option_id"] => cells.id("option_id").map(Amount::Option),
        [] if !cells.raw("unconfirmed").is_empty() => Some(Amount::ByHand),
        _ => cells.refuse(Reason::AmountUnclear),
    }
}

fn percent(cells: &mut Cells<'_>) -> Option<Amount> {
    let adjustment = match cells.raw("adjusted_by") {
        "" => Some(None),
        _ => cells.word("adjusted_by", DealAdjustment::parse).map(Some),
    };
    let basis_points = cells.basis_points();
    let base = cells.word("base", DealBase::parse);
    let minimum = cells.optional_money("minimum");
    let maximum = cells.optional_money("maximum");
    let without_base = cells.optional_money("sum_without_base");
    let (minimum, maximum): (Option<Money>, Option<Money>) = (minimum?, maximum?);
    if minimum
        .zip(maximum)
        .is_some_and(|(least, most)| most < least)
    {
        return cells.refuse(Reason::LimitsReversed);
    }
    Some(Amount::Percent {
        base: base?,
        adjustment: adjustment?,
        basis_points: basis_points?,
        minimum,
        maximum,
        without_base: without_base?,
    })
}
