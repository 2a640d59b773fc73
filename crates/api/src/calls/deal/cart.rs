//! `POST /deal/cart`: puts the payments of a deal into the cart, all or none.

use std::collections::BTreeMap;

use axum::extract::State;
use cabinet_app::cart::{DealToAdd, RequestedDealLine, RequestedParty};
use cabinet_app::deal::RequestedDeal;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{DealLineId, DealPayer, Key};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::calls::cart::add::ClientRequest;
use crate::calls::deal::calculate::{DealShareRequest, take_shares};
use crate::http::extract::{IdempotencyKey, SignedIn, ValidJson};
use crate::http::fields::{take, take_sum, take_whole};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, NumberText};

pub fn call() -> Call {
    Call::post("/deal/cart", handler, |docs| {
        docs.id("dealCart")
            .tag("deals")
            .summary("Put the payments of a deal into the cart")
    })
}

/// `POST /deal/cart` and `POST /deal/calculation`. The deal is calculated anew; sums of the request are only compared.
#[derive(Deserialize, JsonSchema)]
pub struct AddDealRequest {
    /// From `GET /deal/kinds`; required.
    #[serde(default)]
    pub kind_id: Given<String>,
    /// The price by the contract, where the kind asks for it.
    #[serde(default)]
    pub price: Given<NumberText<Hryvnias>>,
    /// The registered valuation, where the kind asks for it.
    #[serde(default)]
    pub valuation: Given<NumberText<Hryvnias>>,
    /// The price of the building without its land: the levy on the purchase of buildings is taken of it. At most the price.
    #[serde(default)]
    pub building_price: Given<NumberText<Hryvnias>>,
    /// The documented costs of what is sold, by which the income of a third sale is lowered.
    #[serde(default)]
    pub costs: Given<NumberText<Hryvnias>>,
    /// How many objects it is about, 1 to 999; without it one.
    #[serde(default)]
    pub objects: Given<NumberText<i64>>,
    /// How many acquire a share in each object, 1 to 999; without it one. At most 999 shares in all.
    #[serde(default)]
    pub owners: Given<NumberText<i64>>,
    /// The shares of those who pay the income tax and the levy together, such as co-owners who sell: 2 to 20 fractions that are the whole,
    /// for a kind with a `taxpayer`. Without them one pays.
    #[serde(default)]
    pub payers: Option<Vec<DealShareRequest>>,
    /// The id of an answer for the id of each question of the kind.
    #[serde(default)]
    pub answers: Given<BTreeMap<String, String>>,
    /// Who pays, by the `payer` of the payments, with `:` and the number for any but the first of several: `seller`, `seller:2`. Each is a client with a group of the cart. Who has nothing to pay may be missing.
    #[serde(default)]
    pub parties: Given<BTreeMap<String, Given<ClientRequest>>>,
    /// What is to be done, by the id of the payment. Every payment that is owed and can be paid here is named.
    #[serde(default)]
    pub lines: Given<BTreeMap<String, Given<DealLineRequest>>>,
}

impl AddDealRequest {
    /// Reads the types of the fields.
    pub fn read(self, errors: &mut FieldErrors) -> DealToAdd {
        DealToAdd {
            deal: RequestedDeal {
                kind_id: take(self.kind_id, "kind_id", errors),
                price: take_sum(self.price, "price", errors),
                valuation: take_sum(self.valuation, "valuation", errors),
                building_price: take_sum(self.building_price, "building_price", errors),
                costs: take_sum(self.costs, "costs", errors),
                objects: take_whole(self.objects, "objects", Key::CountInvalid, errors),
                owners: take_whole(self.owners, "owners", Key::CountInvalid, errors),
                payers: take_shares(self.payers, errors),
                answers: take(self.answers, "answers", errors),
            },
            parties: parties(self.parties, errors),
            lines: lines(self.lines, errors),
        }
    }
}

/// What is to be done with a payment of a deal.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct DealLineRequest {
    /// `add`, `other_sum` or `leave_out`. Another sum is only for a payment by a template.
    #[serde(default)]
    pub action: Given<String>,
    /// With `add` the sum of the calculation, as the screen showed it; with `other_sum` the notary's own. Without commission.
    #[serde(default)]
    pub amount: Given<NumberText<Hryvnias>>,
    /// Why a payment is left out, or has another sum than the calculation; at most 250 characters.
    #[serde(default)]
    pub reason: Given<String>,
    /// A fee: from the fields of the payment type.
    #[serde(default)]
    pub payment_type_region_id: Given<String>,
    /// A fee: from the requisites of the region.
    #[serde(default)]
    pub payment_type_requisite_id: Given<String>,
}

/// `POST /deal/cart`: the payments are in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DealAdded {
    /// Rows in the cart.
    pub items_count: i64,
    /// How many payments were added.
    pub added: usize,
}

/// Adds the payments of a deal. A repeated request with the same `Idempotency-Key` adds nothing.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    IdempotencyKey(key): IdempotencyKey,
    ValidJson(body): ValidJson<AddDealRequest>,
) -> Result<Json<DealAdded>, Refusal> {
    let mut errors = FieldErrors::new();
    let to_add = body.read(&mut errors);
    let added = to_add.payments_count();
    let cart = &state.services.cart;
    let who = (who.notary, who.session);
    let standing = cart.add_deal(who, to_add, key.as_deref(), errors).await?;
    Ok(Json(DealAdded {
        items_count: standing.items_count,
        added,
    }))
}

fn parties(
    given: Given<BTreeMap<String, Given<ClientRequest>>>,
    errors: &mut FieldErrors,
) -> BTreeMap<String, RequestedParty> {
    let mut parties = BTreeMap::new();
    for (name, party) in take(given, "parties", errors).unwrap_or_default() {
        // A refusal names no text of the request.
        if DealPayer::parse(&name).is_none() {
            errors.add("parties", Key::IdInvalid);
            continue;
        }
        let field = |of: &str| format!("parties.{name}.{of}");
        let party = take(party, format!("parties.{name}"), errors).unwrap_or_default();
        let party = RequestedParty {
            inn: take(party.inn, field("inn"), errors),
            full_name: take(party.full_name, field("full_name"), errors),
        };
        parties.insert(name, party);
    }
    parties
}

fn lines(
    given: Given<BTreeMap<String, Given<DealLineRequest>>>,
    errors: &mut FieldErrors,
) -> BTreeMap<String, RequestedDealLine> {
    let mut lines = BTreeMap::new();
    for (id, line) in take(given, "lines", errors).unwrap_or_default() {
        let line_id = id.split_once(':').map_or(id.as_str(), |(line, _)| line);
        if DealLineId::parse(line_id).is_none() {
            errors.add("lines", Key::IdInvalid);
            continue;
        }
        let field = |of: &str| format!("lines.{id}.{of}");
        let line = take(line, format!("lines.{id}"), errors).unwrap_or_default();
        let (region, requisite) = (line.payment_type_region_id, line.payment_type_requisite_id);
        let line = RequestedDealLine {
            action: take(line.action, field("action"), errors),
            amount: take_sum(line.amount, field("amount"), errors),
            reason: take(line.reason, field("reason"), errors),
            region_id: take(region, field("payment_type_region_id"), errors),
            requisite_id: take(requisite, field("payment_type_requisite_id"), errors),
        };
        lines.insert(id, line);
    }
    lines
}
