//! What is proved before a saved card is charged: who gets what, and for what.

use cabinet_domain::{
    CardFigures, Client, Iban, ItemContent, Money, Okpo, Order, OrderItem, Payee, PersonName,
    PlannedTransfer, Transfer,
};
use cabinet_storage::account::notaries;
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Tx};

use crate::account::{Account, ActToProve};
use crate::kernel::keys::Digest;
use crate::payment::asked_proof::CorrectedPart;
use crate::transfer::plan::{agrees, transfers_of};

/// An order as it is charged. Whatever of it changes, its digest changes.
#[derive(Clone)]
pub(crate) struct Charge {
    /// What is proved.
    pub(super) digest: Digest,
    /// What the card pays, commissions included.
    pub(super) sum: Money,
    /// What goes to whom. `None`: what is stored is inconsistent, so nothing would be sent to anybody.
    pub(super) parts: Option<Vec<PlannedTransfer>>,
}

impl Charge {
    /// Puts together the items of a client.
    pub(crate) fn of<'a>(
        client: &Client,
        sum: Money,
        items: impl Iterator<Item = &'a ItemContent>,
        notary_name: Option<&PersonName>,
    ) -> Charge {
        let planned = items.map(|content| {
            let of_item = notary_name.and_then(|name| transfers_of(content, client, name));
            (content, of_item)
        });
        Charge::of_parts(client, sum, planned)
    }

    /// Puts together items with what of each goes to whom.
    fn of_parts<'a>(
        client: &Client,
        sum: Money,
        items: impl Iterator<Item = (&'a ItemContent, Option<Vec<PlannedTransfer>>)>,
    ) -> Charge {
        let mut digest = Digester::begin(PAYMENT);
        digest.text(client.inn.as_str());
        digest.text(client.full_name.as_str());
        digest.sum(sum);
        let mut parts = Some(Vec::new());
        for (content, of_item) in items {
            digest.text(content.kind.slug());
            digest.number(i64::from(content.count.get()));
            digest.sum(content.price.sum);
            digest.text(content.purpose.as_str());
            for part in of_item.iter().flatten() {
                digest.text(part.role.as_str());
                digest.payee(&part.payee);
                digest.sum(part.amount);
            }
            parts = parts.zip(of_item).map(|(mut parts, of_item)| {
                parts.extend(of_item);
                parts
            });
        }
        Charge {
            digest: digest.end(),
            sum,
            parts,
        }
    }

    /// Puts together a paid order as the transfers of its payment say. `None`: they are not those that its items would make.
    ///
    /// What its notary was called then, and how an earlier version put a purpose, stands there alone.
    pub(super) fn of_paid(
        order: &Order,
        items: &[OrderItem],
        made: &[Transfer],
        notary_name: &PersonName,
    ) -> Option<Charge> {
        let mut planned = Vec::with_capacity(items.len());
        for item in items {
            let of_item = transfers_of(&item.content, &order.client, notary_name)?;
            let stored = of_item.iter().map(|part| {
                let mut of_payment = made.iter().filter(|made| made.replaces.is_none());
                let stored = of_payment
                    .find(|made| made.item_id == item.id && made.planned.role == part.role)?;
                agrees(&stored.planned, part).then(|| stored.planned.clone())
            });
            planned.push((&item.content, Some(stored.collect::<Option<Vec<_>>>()?)));
        }
        Some(Charge::of_parts(
            &order.client,
            order.sum,
            planned.into_iter(),
        ))
    }

    /// Puts together a returned part that goes to another account.
    pub(crate) fn of_part(part: &CorrectedPart) -> Charge {
        let CorrectedPart { transfer, payee } = part;
        let planned = PlannedTransfer {
            payee: payee.clone(),
            ..transfer.planned.clone()
        };
        let mut digest = Digester::begin(PART);
        digest.text(&transfer.id.to_string());
        digest.text(planned.role.as_str());
        digest.payee(&planned.payee);
        digest.sum(planned.amount);
        Charge {
            digest: digest.end(),
            sum: planned.amount,
            parts: Some(vec![planned]),
        }
    }

    /// Puts together figures for saved cards. They pay nobody.
    pub(crate) fn of_card_figures(figures: CardFigures) -> Charge {
        let mut digest = Digester::begin(CARD_FIGURES);
        digest.sum(figures.daily_unproved_max);
        digest.sum(figures.told_from);
        Charge {
            digest: digest.end(),
            sum: figures.daily_unproved_max,
            parts: Some(Vec::new()),
        }
    }

    /// Puts together an act on the account. It pays nobody.
    pub(crate) fn of_act(act: &ActToProve) -> Charge {
        let mut digest = Digester::begin(ACT);
        match act {
            ActToProve::Profile(change) => {
                digest.text("profile");
                digest.option(change.account.as_ref(), Digester::account);
                digest.option(change.email.as_ref(), |digest, email| {
                    digest.option(email.as_ref(), |digest, email| digest.text(email.as_str()));
                });
                digest.option(change.phone_additional.as_ref(), |digest, phone| {
                    digest.option(phone.as_ref(), |digest, phone| digest.text(phone.as_str()));
                });
                let identifier = change.registry_identifier.as_ref();
                digest.option(identifier, |digest, text| digest.text(text.as_str()));
            }
            ActToProve::Recipient(change) => {
                digest.text("recipient");
                let id = change.id.map(|id| id.to_string());
                digest.option(id.as_deref(), Digester::text);
                digest.text(change.title.as_str());
                digest.text(change.recipient_name.as_str());
                digest.account(&change.account);
            }
            ActToProve::OwnAccount(account) => {
                digest.text("own account");
                digest.account(account);
            }
            ActToProve::EndSessions(session) => {
                digest.text("end sessions");
                let id = session.map(|id| id.to_string());
                digest.option(id.as_deref(), Digester::text);
            }
        }
        Charge {
            digest: digest.end(),
            sum: Money::ZERO,
            parts: Some(Vec::new()),
        }
    }

    /// Puts together an order that exists.
    pub(crate) fn of_order(tx: &mut Tx, order: &Order) -> Result<Charge, StorageError> {
        let name = notaries::full_name_of(tx, order.notary_id)?;
        let items = orders::items_of(tx, order.id)?;
        let contents = items.iter().map(|item| &item.content);
        Ok(Charge::of(
            &order.client,
            order.sum,
            contents,
            name.as_ref(),
        ))
    }
}

/// What of an order a digest covers. A part of one is no order.
const PAYMENT: &str = "notary cabinet: what a proof of a payment covers, 1";
const PART: &str = "notary cabinet: what a proof of a corrected part covers, 1";
const ACT: &str = "notary cabinet: what a proof of an act on the account covers, 1";
const CARD_FIGURES: &str = "notary cabinet: what a proof of larger card figures covers, 1";

/// Makes a digest of values, each with its length, so that no two lists of them are alike.
struct Digester(blake3::Hasher);

impl Digester {
    fn begin(subject: &str) -> Digester {
        Digester(blake3::Hasher::new_derive_key(subject))
    }

    fn text(&mut self, text: &str) {
        self.number(i64::try_from(text.len()).unwrap_or(i64::MAX));
        self.0.update(text.as_bytes());
    }

    fn number(&mut self, number: i64) {
        self.0.update(&number.to_le_bytes());
    }

    fn sum(&mut self, sum: Money) {
        self.number(sum.kopiykas());
    }

    fn payee(&mut self, payee: &Payee) {
        self.text(payee.name.as_str());
        self.text(payee.iban.as_str());
        self.text(payee.okpo.as_str());
        self.text(payee.purpose.as_str());
    }

    fn account(&mut self, account: &Account) {
        self.option(account.iban.as_ref().map(Iban::as_str), Digester::text);
        self.option(account.okpo.as_ref().map(Okpo::as_str), Digester::text);
    }

    fn option<T>(&mut self, value: Option<T>, digest: impl FnOnce(&mut Digester, T)) {
        self.number(i64::from(value.is_some()));
        if let Some(value) = value {
            digest(self, value);
        }
    }

    fn end(self) -> Digest {
        *self.0.finalize().as_bytes()
    }
}
