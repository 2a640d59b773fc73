//! The fixed texts of the calculation of a deal, in both languages.

use cabinet_domain::{DealBase, DealParty, Locale, NotaryStatus};

/// The texts in one language.
pub(crate) struct DealWording {
    pub(crate) title: &'static str,
    pub(crate) deal: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) date: &'static str,
    pub(crate) price: &'static str,
    pub(crate) valuation: &'static str,
    pub(crate) building_price: &'static str,
    pub(crate) costs: &'static str,
    pub(crate) objects: &'static str,
    pub(crate) owners: &'static str,
    pub(crate) notary: &'static str,
    pub(crate) tables: &'static str,
    /// Before the words of what one status or another is.
    statuses: [&'static str; 3],
    pub(crate) answers: &'static str,
    pub(crate) payments: &'static str,
    pub(crate) payer: &'static str,
    pub(crate) share: &'static str,
    pub(crate) reckoning: &'static str,
    pub(crate) ground: &'static str,
    pub(crate) recipient: &'static str,
    pub(crate) decision: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) note: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) by_tariff: &'static str,
    pub(crate) by_notary: &'static str,
    pub(crate) at_least: &'static str,
    pub(crate) at_most: &'static str,
    bases: [&'static str; 3],
    pub(crate) left_out: &'static str,
    pub(crate) other_sum: &'static str,
    /// Before the sum of the calculation, where another one was entered or the payment is left out.
    pub(crate) calculated: &'static str,
    pub(crate) elsewhere: &'static str,
    pub(crate) totals: &'static str,
    pub(crate) in_cabinet: &'static str,
    pub(crate) besides: &'static str,
    pub(crate) all: &'static str,
    pub(crate) without_commission: &'static str,
    pub(crate) prepared_by: &'static str,
    parties: [&'static str; 9],
}

impl DealWording {
    pub(crate) fn of(locale: Locale) -> &'static DealWording {
        match locale {
            Locale::Uk => &UKRAINIAN,
            Locale::En => &ENGLISH,
        }
    }

    pub(crate) fn status(&self, status: NotaryStatus) -> &'static str {
        let [private, state, suspended] = self.statuses;
        match status {
            NotaryStatus::Private => private,
            NotaryStatus::State => state,
            NotaryStatus::Suspended => suspended,
        }
    }

    pub(crate) fn base(&self, base: DealBase) -> &'static str {
        let [price, valuation, larger] = self.bases;
        match base {
            DealBase::Price => price,
            DealBase::Valuation => valuation,
            DealBase::Larger => larger,
        }
    }

    pub(crate) fn party(&self, party: DealParty) -> &'static str {
        let all = DealParty::ALL.into_iter().zip(self.parties);
        all.filter(|(one, _)| *one == party)
            .map(|(_, name)| name)
            .next()
            .unwrap_or_default()
    }
}

static UKRAINIAN: DealWording = DealWording {
    title: "Розрахунок платежів за нотаріальною дією",
    deal: "Нотаріальна дія",
    kind: "Вид нотаріальної дії",
    date: "Дата розрахунку",
    price: "Ціна за договором",
    valuation: "Оціночна вартість",
    building_price: "Ціна будівлі без землі",
    costs: "Підтверджені витрати на придбання",
    objects: "Кількість об’єктів",
    owners: "Кількість набувачів",
    notary: "Нотаріус",
    tables: "Версія таблиць кабінету",
    statuses: ["приватний", "державний", "діяльність зупинено"],
    answers: "Обставини",
    payments: "Платежі",
    payer: "Платник",
    share: "Частка",
    reckoning: "Розрахунок",
    ground: "Підстава",
    recipient: "Отримувач",
    decision: "Рішення нотаріуса",
    reason: "Причина",
    note: "Примітка",
    nothing: "не сплачується",
    by_tariff: "за тарифом",
    by_notary: "суму визначає нотаріус",
    at_least: "не менше",
    at_most: "не більше",
    bases: ["від ціни", "від оціночної вартості", "від більшої із сум"],
    left_out: "не включено до сплати",
    other_sum: "інша сума",
    calculated: "за розрахунком",
    elsewhere: "Сплачується окремо, не в кабінеті.",
    totals: "Разом за платниками",
    in_cabinet: "у кабінеті",
    besides: "окремо",
    all: "Усі платники",
    without_commission: "Без комісії сервісу за платежі в кабінеті.",
    prepared_by: "Розрахунок складено. Нотаріус",
    parties: [
        "Продавець",
        "Покупець",
        "Дарувальник",
        "Обдаровуваний",
        "Спадкоємець",
        "Іпотекодавець",
        "Набувач права користування",
        "Довіритель, заповідач або заявник",
        "Особа, відомості про яку змінюються",
    ],
};

static ENGLISH: DealWording = DealWording {
    title: "Calculation of payments for a notarial act",
    deal: "Notarial act",
    kind: "Kind of notarial act",
    date: "Calculated for",
    price: "Contract price",
    valuation: "Valuation",
    building_price: "Price of the building without its land",
    costs: "Documented costs of the purchase",
    objects: "Number of objects",
    owners: "Number of acquirers",
    notary: "Notary",
    tables: "Version of the tables",
    statuses: ["private", "state", "activity stopped"],
    answers: "Circumstances",
    payments: "Payments",
    payer: "Payer",
    share: "Share",
    reckoning: "Calculation",
    ground: "Ground",
    recipient: "Recipient",
    decision: "The notary’s decision",
    reason: "Reason",
    note: "Note",
    nothing: "nothing is paid",
    by_tariff: "fixed fee",
    by_notary: "the notary decides on the sum",
    at_least: "at least",
    at_most: "at most",
    bases: [
        "of the price",
        "of the valuation",
        "of the larger of the sums",
    ],
    left_out: "not to be paid",
    other_sum: "another sum",
    calculated: "calculated",
    elsewhere: "Paid separately, not in the dashboard.",
    totals: "Total by payer",
    in_cabinet: "in the dashboard",
    besides: "separately",
    all: "All payers",
    without_commission: "Without the service’s commission for payments in the dashboard.",
    prepared_by: "Calculated by the notary",
    parties: [
        "Seller",
        "Buyer",
        "Donor",
        "Donee",
        "Heir",
        "Mortgagor",
        "Acquirer of the right of use",
        "Principal, testator or applicant",
        "Person whose data change",
    ],
};
