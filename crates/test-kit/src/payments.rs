//! Payments as the form makes them: with the calls that fill its lists, and with the sums that it shows.

use serde_json::{Map, Value, json};

use crate::person::text;
use crate::{Answer, PaymentKind, Person, hryvnias, kopiykas};

/// The client of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The client's tax id or EDRPOU.
    pub inn: &'static str,
    /// The client's name.
    pub full_name: &'static str,
}

/// A person.
pub const PETRO: Client = Client {
    inn: "3652504575",
    full_name: "Гнатюк Петро Олександрович",
};

/// A company.
pub const ZORIA: Client = Client {
    inn: "32855961",
    full_name: "ТОВ «Ранкова зоря»",
};

/// The notary's account in administrative fees, and an account of a company.
pub(crate) const ACCOUNT: &str = "UA223052990000026001234567890";
/// The codes of its owners: of the notary and of the company.
pub(crate) const OWNERS: [&str; 2] = ["3068208400", ZORIA.inn];

/// A filled-in form.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The body of `POST /cart/add`.
    pub body: Value,
    /// The recipient's sum, in kopiykas.
    pub amount: i64,
    /// The commission in kopiykas, computed here from the tariff on the screen.
    pub commission: i64,
}

impl Payment {
    /// Returns the price of one unit, in kopiykas.
    pub fn sum(&self) -> i64 {
        self.amount + self.commission
    }

    /// Sets a field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Payment {
        let (parent, field) = match field.split_once('.') {
            Some((parent, field)) => (&mut self.body[parent], field),
            None => (&mut self.body, field),
        };
        parent[field] = value.into();
        self
    }

    /// Removes a field.
    #[must_use]
    pub fn without(mut self, field: &str) -> Payment {
        let (parent, field) = match field.split_once('.') {
            Some((parent, field)) => (&mut self.body[parent], field),
            None => (&mut self.body, field),
        };
        if let Some(fields) = parent.as_object_mut() {
            fields.remove(field);
        }
        self
    }
}

impl Person {
    /// Fills in the form for a kind of payment, with the first choices of its lists, in Kyiv.
    pub async fn form(&self, kind: PaymentKind) -> Payment {
        self.form_for(kind, PETRO).await
    }

    /// Fills in the form for another client.
    ///
    /// Of the two administrative fees a notary has one: her status becomes that of the kind.
    pub async fn form_for(&self, kind: PaymentKind, client: Client) -> Payment {
        self.practise_for(kind).await;
        let types = self.get("/payment-types").await.ok();
        let type_id = find(&types["payment_types"], "slug", kind.slug());
        let mut body = Map::new();
        body.insert(
            "client".to_owned(),
            json!({ "inn": client.inn, "full_name": client.full_name }),
        );
        body.insert("payment_type_id".to_owned(), type_id.clone().into());
        let amount = match kind {
            PaymentKind::AdminPayment | PaymentKind::AdminGovernmentPayment => {
                self.choose_fee(&type_id, true, &mut body).await
            }
            PaymentKind::RegistryPayment => self.choose_fee(&type_id, false, &mut body).await,
            PaymentKind::RequisitesPayment => {
                body.insert("iban".to_owned(), ACCOUNT.into());
                body.insert("okpo".to_owned(), ZORIA.inn.into());
                body.insert("recipient_name".to_owned(), ZORIA.full_name.into());
                let purpose = format!("Оплата послуг, {}", client.inn);
                body.insert("purpose".to_owned(), purpose.into());
                125_050
            }
        };
        if kind == PaymentKind::AdminPayment {
            body.insert("iban".to_owned(), ACCOUNT.into());
            body.insert("okpo".to_owned(), OWNERS[0].into());
        }
        let commission = self.commission(kind, amount).await;
        body.insert("amount".to_owned(), hryvnias(amount));
        body.insert("sum".to_owned(), hryvnias(amount + commission));
        Payment {
            body: Value::Object(body),
            amount,
            commission,
        }
    }

    /// Chooses option, term, region and recipient. Returns the fee.
    async fn choose_fee(&self, type_id: &str, term: bool, body: &mut Map<String, Value>) -> i64 {
        let fields = self
            .get(&format!("/payment-types/fields?payment_type_id={type_id}"))
            .await
            .ok();
        let option = &fields["options"][0];
        let region = find(&fields["regions"], "id", "ua-30");
        let mut path = format!(
            "/payment-types/region/requisites?payment_type_region_id={region}&payment_type_id={type_id}"
        );
        let amount = if term {
            let terms = self
                .get(&format!(
                    "/payment-types/option/terms?payment_type_option_id={}",
                    text(&option["id"])
                ))
                .await
                .ok();
            let term = &terms["terms"][0];
            let id = text(&term["id"]);
            path.push_str(&format!("&payment_type_option_term_id={id}"));
            body.insert("payment_type_option_term_id".to_owned(), id.into());
            kopiykas(&term["tax"])
        } else {
            kopiykas(&option["additional_data"]["tariff"])
        };
        let requisites = self.get(&path).await.ok();
        let requisite = requisites["requisites"][0]["id"].clone();
        body.insert("payment_type_option_id".to_owned(), option["id"].clone());
        body.insert("payment_type_region_id".to_owned(), region.into());
        body.insert("payment_type_requisite_id".to_owned(), requisite);
        amount
    }

    /// Computes the commission from the tariff that the server names. This does not use the product's code on purpose, because tests
    /// compare the product's sums with it.
    async fn commission(&self, kind: PaymentKind, amount: i64) -> i64 {
        let config = self.get("/config").await.ok();
        let basis_points = config["tariff"]["basis_points"]
            .as_i64()
            .expect("a whole number of basis points");
        let minimum = kopiykas(&config["tariff"]["minimum"]);
        let of_part = |part: i64| ((part * basis_points + 5_000) / 10_000).max(minimum);
        if kind == PaymentKind::AdminPayment {
            let own = (amount * 60 + 50) / 100;
            of_part(own) + of_part(amount - own)
        } else {
            of_part(amount)
        }
    }

    /// Adds a payment to the cart. Returns the item's id.
    pub async fn add(&self, kind: PaymentKind) -> String {
        let payment = self.form(kind).await;
        self.add_payment(&payment).await
    }

    /// Adds a filled-in form to the cart. Returns the item's id.
    pub async fn add_payment(&self, payment: &Payment) -> String {
        let answer = self.post("/cart/add", payment.body.clone()).await.ok();
        text(&answer["item_id"])
    }

    /// Saves the account of the form in the profile, so that payments with it need no confirmation later.
    pub async fn keep_own_account(&self) {
        let account = json!({ "iban": ACCOUNT, "okpo": OWNERS[0] });
        self.post_proved("/me", account).await.ok();
    }

    /// Returns the first group of the cart.
    pub async fn group(&self) -> Value {
        self.get("/cart").await.ok()["groups"][0].clone()
    }

    /// Returns the body of an order of the first group of the cart, to be paid on the acquirer's page.
    pub async fn order_body(&self) -> Value {
        let group = self.group().await;
        json!({ "client_id": group["client"]["id"], "locale": "uk", "sum": group["amount"] })
    }

    /// Returns a new idempotency key.
    pub fn fresh_key(&self) -> String {
        self.installation.key()
    }

    /// Creates an order with a key.
    pub async fn create_order(&self, key: &str, body: &Value) -> Answer {
        self.call(axum::http::Method::POST, "/order/create")
            .header("idempotency-key", key)
            .json(body)
            .send()
            .await
    }

    /// Creates an order of the first group of the cart.
    pub async fn order_cart(&self) -> Value {
        let body = self.order_body().await;
        let key = self.fresh_key();
        self.create_order(&key, &body).await.ok()["order"].clone()
    }

    /// Pays an order on the acquirer's page and waits until the cabinet knows it.
    pub async fn pay(&self, order: &Value) -> Value {
        let page = text(&order["widget_url"]);
        let status = self
            .installation
            .outside
            .pay(&page, "4242424242424242")
            .await;
        assert_eq!(status, "success");
        self.until(order, "paid").await
    }

    /// Saves a card in the notary's wallet, as a payment can do. Returns its token.
    pub fn save_card(&self, card: &str) -> String {
        let services = self.installation.services();
        let wallet = services
            .keys
            .wallet(self.id())
            .expect("a wallet has a name");
        self.installation
            .outside
            .sandbox
            .save_card(wallet.as_str(), card)
            .expect("a card of the sandbox")
    }
}

/// Returns the id of the entry whose field has a value.
fn find(list: &Value, field: &str, value: &str) -> String {
    list.as_array()
        .and_then(|entries| entries.iter().find(|entry| entry[field] == value))
        .map(|entry| text(&entry["id"]))
        .unwrap_or_else(|| panic!("no {field} {value} in {list}"))
}
