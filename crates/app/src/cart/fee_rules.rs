//! The rules of state and registry fees, whose amounts and recipients come from the reference data.

use cabinet_domain::{
    FilingYear, Iban, Inn, Key, Money, Okpo, OptionId, PersonName, Purpose, RegionId, RequisiteId,
    TermId, kyiv_date,
};
use cabinet_reference::{PaymentOption, PaymentType, Region, Requisite, Term, purpose_of_fee};

use super::fee::{check_account, fee_amount};
use super::own_codes::OwnCodes;
use super::rules::{Fee, Parts, Rules, given};

impl<'a> Rules<'_, 'a> {
    pub(super) fn fee(
        &mut self,
        payment_type: &PaymentType,
        inn: Option<&Inn>,
        full_name: Option<&PersonName>,
        notary: &OwnCodes,
    ) -> Option<Parts<'a>> {
        let option = self.option(payment_type);
        let term = if self.kind.needs_term() {
            self.term(option)
        } else {
            None
        };
        let region = self.region();
        let requisite = self.requisite(payment_type, region, term);
        let (iban, okpo) = self.own_account(notary);
        if self.kind.has_notary_share() && (iban.is_none() || okpo.is_none()) {
            return None;
        }
        if self.kind.needs_term() && term.is_none() {
            return None;
        }
        let fee = Fee {
            option: option?,
            term,
            region: region?,
            requisite: requisite?,
        };
        let filing_year = self.filing_year()?;
        let amount = self.fee_amount(&fee, filing_year)?;
        let purpose = self.fee_purpose(&fee, (full_name, inn))?;
        let cbc_code = term
            .and_then(Term::budget_code)
            .or(fee.option.budget_code())
            .cloned();
        Some(Parts {
            amount,
            fee: Some(fee),
            iban,
            okpo,
            recipient_name: None,
            purpose,
            template: None,
            cbc_code,
            filing_year,
        })
    }

    /// Reads the year of filing; `Some(None)` where it is the present one.
    fn filing_year(&mut self) -> Option<Option<FilingYear>> {
        let today = kyiv_date(self.now);
        let read = match self.request.filing_year {
            None => Ok(None),
            Some(year) => FilingYear::named(year, today),
        };
        self.take("filing_year", read)
    }

    fn option(&mut self, payment_type: &PaymentType) -> Option<&'a PaymentOption> {
        let reference = self.reference;
        let read = given(self.request.option_id.as_ref())
            .ok_or(Key::PaymentTypeOptionRequired)
            .and_then(|id| {
                OptionId::parse(id)
                    .and_then(|id| reference.option(&id))
                    .filter(|option| option.is_of(payment_type.id()))
                    .ok_or(Key::OptionNotForType)
            });
        self.take("payment_type_option_id", read)
    }

    fn region(&mut self) -> Option<&'a Region> {
        let reference = self.reference;
        let read = given(self.request.region_id.as_ref())
            .ok_or(Key::PaymentTypeRegionRequired)
            .and_then(|id| {
                RegionId::parse(id)
                    .and_then(|id| reference.region(&id))
                    .ok_or(Key::RegionUnknown)
            });
        self.take("payment_type_region_id", read)
    }

    /// Reads the notary's own account, where the kind has one.
    pub(super) fn own_account(&mut self, notary: &OwnCodes) -> (Option<Iban>, Option<Okpo>) {
        if !self.kind.has_notary_share() {
            return (None, None);
        }
        let (iban, okpo) = (self.iban(), self.okpo());
        if let Some(iban) = &iban {
            self.take("iban", iban.own_account_rule(okpo.as_ref()));
        }
        if let Some(okpo) = &okpo {
            let rule = okpo
                .private_notary_rule()
                .and_then(|()| okpo.own_code_rule(notary.of_account().as_ref()));
            self.take("okpo", rule);
        }
        (iban, okpo)
    }

    fn fee_amount(&mut self, fee: &Fee<'a>, filing_year: Option<FilingYear>) -> Option<Money> {
        let today = kyiv_date(self.now);
        let amount = fee_amount(self.reference, fee.option, fee.term, today, filing_year);
        let field = if amount == Err(Key::FilingYearInvalid) {
            "filing_year"
        } else if fee.term.is_some() {
            "payment_type_option_term_id"
        } else {
            "payment_type_option_id"
        };
        self.take(field, amount)
    }

    fn fee_purpose(
        &mut self,
        fee: &Fee<'a>,
        (full_name, inn): (Option<&PersonName>, Option<&Inn>),
    ) -> Option<Purpose> {
        let (inn, full_name) = (inn?, full_name?);
        let to_treasury = fee.requisite.iban().is_treasury();
        let service = (fee.option, fee.term);
        let text = purpose_of_fee(to_treasury, self.kind, service, (full_name, inn));
        self.take("payment_type_requisite_id", Purpose::written(&text))
    }

    fn term(&mut self, option: Option<&'a PaymentOption>) -> Option<&'a Term> {
        let reference = self.reference;
        let read = given(self.request.term_id.as_ref())
            .ok_or(Key::PaymentTypeOptionTermRequired)
            .and_then(|id| {
                TermId::parse(id)
                    .and_then(|id| reference.term(&id))
                    .filter(|term| option.is_none_or(|option| term.option() == option.id()))
                    .ok_or(Key::TermNotForOption)
            });
        self.take("payment_type_option_term_id", read)
    }

    fn requisite(
        &mut self,
        payment_type: &PaymentType,
        region: Option<&'a Region>,
        term: Option<&'a Term>,
    ) -> Option<&'a Requisite> {
        let (reference, today) = (self.reference, kyiv_date(self.now));
        let read = given(self.request.requisite_id.as_ref())
            .ok_or(Key::PaymentTypeRequisiteRequired)
            .and_then(|id| {
                let requisite = RequisiteId::parse(id)
                    .and_then(|id| reference.requisite(&id))
                    .ok_or(Key::RequisiteNotForRegion)?;
                if !requisite.is_of(payment_type.id()) {
                    return Err(Key::RequisiteNotForRegion);
                }
                check_account(requisite, region, term, today)?;
                Ok(requisite)
            });
        self.take("payment_type_requisite_id", read)
    }
}
