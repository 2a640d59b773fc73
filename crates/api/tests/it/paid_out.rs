//! The whole way of the money: a client's payment, the operator's list, the sandbox's bank, its answers, and what comes back and is sent
//! again. The process ends at any step, and the step is carried out again: nothing happens twice.

use std::collections::BTreeMap;

use cabinet_app::books::RefundKind;
use cabinet_app::operator::OperatorServices;
use cabinet_app::transfer::{Format, ListStatus};
use cabinet_app::{Services, Vat};
use cabinet_bank_files::{Encoding, Payer};
use cabinet_domain::{Iban, Okpo, TransferId, TransferStatus, kyiv_date};
use cabinet_test_kit::{
    LedgerKind, PaymentKind, Person, TestApp, eventually, kopiykas, on_both_databases,
};
use jiff::civil::{Date, date};
use serde_json::{Value, json};

/// An account of the Treasury that the reference data don't know, and whose it is.
const ACCOUNT: &str = "UA728999980334100000000026001";
const OWNER: &str = "37993783";
/// The code of another office.
const ANOTHER: &str = "38008294";

const FORMATS: [Format; 3] = [
    Format::Csv(Encoding::Utf8),
    Format::Privat24(Encoding::Cp1251),
    Format::Pain001,
];

/// What the client, the operator, the bank and the notary do, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The client pays.
    Pay,
    /// The operator writes the list.
    Export,
    /// The operator marks it as sent.
    Mark,
    /// The bank gets it.
    Hand,
    /// The bank executes it, and the Treasury sends back what does not belong together.
    Day,
    /// The operator imports the bank's answers.
    Import,
    /// The notary corrects the pair of what came back.
    Correct,
    /// The notary has what came back given back to the card, and the operator does it.
    GiveBack,
}

const STEPS: [Step; 12] = [
    Step::Pay,
    Step::Export,
    Step::Mark,
    Step::Hand,
    Step::Day,
    Step::Import,
    Step::Correct,
    Step::Export,
    Step::Mark,
    Step::Hand,
    Step::Day,
    Step::Import,
];

/// The way of an order whose returned part goes back to the card.
const STEPS_TO_THE_CARD: [Step; 7] = [
    Step::Pay,
    Step::Export,
    Step::Mark,
    Step::Hand,
    Step::Day,
    Step::Import,
    Step::GiveBack,
];

/// When the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Never,
    /// Before the unit of work of this step is through. The world outside goes on.
    During(usize),
    /// After the step, before anybody has heard of it.
    After(usize),
}

struct Way<'a> {
    app: &'a TestApp,
    olena: &'a Person,
    format: Format,
    order: Value,
    /// The latest list.
    list: Vec<u8>,
    /// The bank's number of the latest list.
    handed: u64,
    /// The transfer that came back.
    returned: Option<Value>,
}

pub(crate) fn payer(app: &TestApp) -> Payer {
    let customer = &app.outside().settings.paying_bank.customer;
    Payer {
        name: customer.name.clone(),
        iban: Iban::parse(&customer.iban).unwrap(),
        code: Okpo::parse(&customer.code).unwrap(),
    }
}

/// An order with a fee of two parts for three units, and a payment for two whose pair is wrong.
async fn order(olena: &Person) -> Value {
    let fee = olena.add(PaymentKind::AdminPayment).await;
    set_count(olena, &fee, 3).await;
    let form = olena.form(PaymentKind::RequisitesPayment).await;
    let form = form
        .with("iban", ACCOUNT)
        .with("okpo", ANOTHER)
        .with("cbc_code", "22090100")
        .with("recipient_name", "ГУК у м.Києві/Демонстраційний/22090100")
        .with("purpose", "101 Державне мито, 3652504575");
    let duty = olena.add_payment(&form).await;
    set_count(olena, &duty, 2).await;
    olena.order_cart().await
}

/// Gives a part of a charge back at the acquirer, and waits until its report about that was heard.
pub(crate) async fn give_part_back(app: &TestApp, page: &str, amount: i64) {
    let heard = || app.number("select count(*) from card_refunds".to_owned());
    let before = heard().await;
    app.outside().refund_part(page, amount).await;
    let look = || async {
        match heard().await {
            now if now > before => Ok(()),
            now => Err(now),
        }
    };
    eventually(look).await.expect("the refund is heard of");
}

/// Sets the number of units of an item of the cart.
pub(crate) async fn set_count(olena: &Person, item: &str, count: i64) {
    let body = json!({ "cart_item_id": item, "new_count": count });
    olena.post("/cart/items/count", body).await.ok();
}

impl Way<'_> {
    async fn go(&mut self, steps: &[Step], end: End) {
        for (place, step) in steps.iter().copied().enumerate() {
            if end == End::During(place) {
                let services = self.app.services();
                self.app.stop().await;
                self.outside_of(step, &services).await;
                self.app.start_again(|_| ()).await;
            }
            self.carry_out(step).await;
            if end == End::After(place) {
                self.app.restart().await;
                self.carry_out(step).await;
            }
            self.compare(step).await;
        }
        let credited = if steps.contains(&Step::GiveBack) {
            2
        } else {
            3
        };
        assert_eq!(
            self.statuses().await,
            BTreeMap::from([
                ("credited".to_owned(), credited),
                ("returned".to_owned(), 1)
            ])
        );
    }

    async fn carry_out(&mut self, step: Step) {
        match step {
            Step::Pay => {
                self.charge().await;
                // The report is lost while the process is down.
                let id = self.order["id"].as_str().unwrap();
                self.olena
                    .get(&format!("/order/{id}?update_status=1"))
                    .await
                    .ok();
                self.olena.until(&self.order, "paid").await;
            }
            Step::Export => self.list = self.export(&self.app.services()).await.unwrap(),
            Step::Mark => self.mark(&self.app.services()).await.unwrap(),
            Step::Hand => {
                let answer = self.app.outside().give_to_bank(self.list.clone()).await;
                for told in answer["instructions"].as_array().unwrap() {
                    assert_eq!(told["result"], "taken", "{answer}");
                }
                self.handed = answer["id"].as_u64().unwrap();
            }
            Step::Day => self.app.outside().let_bank_day_pass().await,
            Step::Import => self.import(&self.app.services()).await.unwrap(),
            Step::Correct => self.correct().await,
            Step::GiveBack => self.give_back().await,
        }
    }

    /// What happens outside while the process is down, and what fails inside.
    async fn outside_of(&mut self, step: Step, ended: &Services) {
        match step {
            Step::Pay => self.charge().await,
            Step::Export => assert!(self.export(ended).await.is_err()),
            Step::Mark => assert!(self.mark(ended).await.is_err()),
            Step::Hand | Step::Day => self.carry_out_outside(step).await,
            Step::Import => assert!(self.import(ended).await.is_err()),
            // The notary's request does not arrive.
            Step::Correct | Step::GiveBack => {}
        }
    }

    async fn carry_out_outside(&self, step: Step) {
        match step {
            Step::Hand => {
                self.app.outside().give_to_bank(self.list.clone()).await;
            }
            _ => self.app.outside().let_bank_day_pass().await,
        }
    }

    /// Pays on the acquirer's page, which refuses a second payment.
    async fn charge(&self) {
        let page = self.order["widget_url"].as_str().unwrap();
        let told = self.app.outside().pay(page, "4242424242424242").await;
        assert!(
            ["success", "the invoice is success"].contains(&told.as_str()),
            "{told}"
        );
    }

    async fn export(&self, services: &Services) -> Result<Vec<u8>, String> {
        let payer = payer(self.app);
        let exported = services
            .transfers
            .export(self.format, &payer, self.app.clock().shows());
        exported
            .await
            .map(|exported| exported.file)
            .map_err(|error| error.to_string())
    }

    async fn mark(&self, services: &Services) -> Result<(), String> {
        self.take(services, &self.list, Some(TransferStatus::Sent))
            .await
    }

    async fn take(
        &self,
        services: &Services,
        file: &[u8],
        status: Option<TransferStatus>,
    ) -> Result<(), String> {
        let status = status.map(|status| ListStatus {
            status,
            payer: payer(self.app),
        });
        let taken =
            services
                .transfers
                .import_file(file, status.clone(), None, self.app.clock().shows());
        let taken = taken.await.map_err(|error| format!("{error:?}"))?;
        let again = services
            .transfers
            .import_file(file, status, None, self.app.clock().shows());
        let again = again.await.map_err(|error| format!("{error:?}"))?;
        assert_eq!(again.imported.changed, 0, "after {taken:?}");
        Ok(())
    }

    /// Imports the report about the list, and the statement of the day in a form that goes with the list.
    async fn import(&self, services: &Services) -> Result<(), String> {
        let today = kyiv_date(self.app.clock().shows());
        let statement = match self.format {
            Format::Csv(_) => "camt.054.xml",
            Format::Privat24(_) => "privat24.csv",
            Format::Pain001 => "camt.053.xml",
        };
        for path in [
            format!("files/{}/pain.002.xml", self.handed),
            format!("statements/{today}/{statement}"),
        ] {
            let file = self.app.outside().bank_download(&path).await;
            self.take(services, &file, None)
                .await
                .map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(())
    }

    async fn transfers(&self) -> Vec<Value> {
        let path = format!("/order/{}/transfers", self.order["id"].as_str().unwrap());
        let answer = self.olena.get(&path).await.ok();
        answer["transfers"].as_array().unwrap().clone()
    }

    async fn statuses(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for transfer in self.transfers().await {
            *counts
                .entry(transfer["status"].as_str().unwrap().to_owned())
                .or_default() += 1;
        }
        counts
    }

    /// Finds what came back.
    async fn find_returned(&mut self) -> Value {
        if self.returned.is_none() {
            let transfers = self.transfers().await;
            let came_back: Vec<&Value> = transfers
                .iter()
                .filter(|transfer| transfer["is_undecided"] == true)
                .collect();
            let [only] = came_back.as_slice() else {
                panic!("one came back: {transfers:?}");
            };
            assert!(
                only["reason"]
                    .as_str()
                    .unwrap()
                    .contains("Код отримувача не відповідає рахунку"),
                "{only}"
            );
            self.returned = Some((*only).clone());
        }
        self.returned.clone().unwrap()
    }

    /// Has it given back to the card. A second time nothing happens.
    async fn give_back(&mut self) {
        let is_new = self.returned.is_none();
        let returned = self.find_returned().await;
        let id = returned["id"].as_str().unwrap();
        let path = format!("/order/transfer/{id}/refund");
        self.olena.post(&path, json!({})).await;
        let services = self.app.services();
        let id = TransferId::parse(id).unwrap();
        if is_new {
            let page = self.order["widget_url"].as_str().unwrap();
            let amount = kopiykas(&returned["amount"]);
            give_part_back(self.app, page, amount).await;
        }
        let now = self.app.clock().shows();
        let marked = services
            .operator
            .card_refunds()
            .mark(id, "операція 77", now)
            .await;
        assert_eq!(marked.is_ok(), is_new);
    }

    async fn correct(&mut self) {
        let returned = self.find_returned().await;
        let path = format!(
            "/order/transfer/{}/resend",
            returned["id"].as_str().unwrap()
        );
        let body = json!({
            "iban": ACCOUNT,
            "okpo": OWNER,
            "recipient_name": returned["recipient_name"],
            "purpose": returned["purpose"],
        });
        self.olena.post(&path, body).await.ok();
    }

    /// Compares what was charged, what the bank moved, and what the cabinet says.
    async fn compare(&self, step: Step) {
        let sum = |what: &str| format!("select coalesce(sum({what}), 0)");
        let charged: i64 = self
            .app
            .outside()
            .ledger()
            .iter()
            .map(|line| match line.kind {
                LedgerKind::Charge => line.amount,
                LedgerKind::Refund => -line.amount,
            })
            .sum();
        let items = format!(
            "{} from order_items i join orders o on o.id = i.order_id where o.status = 'paid'",
            sum("i.count * i.commission")
        );
        let commissions = self.app.number(items).await;
        let parts = format!(
            "{} from transfers t where t.refunded_at is null and not exists (select 1 from transfers a where a.replaces = t.id)",
            sum("t.amount")
        );
        let parts = self.app.number(parts).await;
        assert_eq!(
            charged,
            parts + commissions,
            "{step:?}: charged, and owed to recipients and the operator"
        );

        self.compare_views(step, charged, commissions).await;

        let own = &self.app.outside().settings.paying_bank.customer.iban;
        let ledger = self.app.outside().bank_ledger().await;
        let (of_own, of_others): (Vec<_>, Vec<_>) =
            ledger.iter().partition(|line| line.account == *own);
        let paid_out: i64 = -of_own.iter().map(|line| line.amount).sum::<i64>();
        let arrived: i64 = of_others.iter().map(|line| line.amount).sum();
        assert_eq!(
            paid_out, arrived,
            "{step:?}: debits without returns, and recipients' accounts"
        );
        let mut debits: BTreeMap<&str, usize> = BTreeMap::new();
        for line in of_own.iter().filter(|line| line.amount < 0) {
            *debits.entry(&line.document_number).or_default() += 1;
        }
        assert!(
            debits.values().all(|times| *times == 1),
            "{step:?}: {debits:?}"
        );

        let of_status =
            |status: &str| format!("{} from transfers where status = '{status}'", sum("amount"));
        let credited = self.app.number(of_status("credited")).await;
        let sent = self.app.number(of_status("sent")).await;
        if matches!(step, Step::Import | Step::GiveBack) {
            assert_eq!((credited, sent), (paid_out, 0), "all answers are known");
        } else {
            assert!(
                (credited..=credited + sent).contains(&paid_out),
                "{step:?}: {credited}, {sent}, {paid_out}"
            );
        }
    }

    /// Compares what the notary's report, the operator's statements and the receipt tell of the same money with the acquirer's ledger.
    async fn compare_views(&self, step: Step, held: i64, commissions: i64) {
        let refunds = self.app.outside().ledger().into_iter();
        let refunds = refunds.filter(|line| line.kind == LedgerKind::Refund);
        let given_back: i64 = refunds.map(|line| line.amount).sum();

        let year = "/reports?from=2026-01-01&to=2026-12-31";
        let total = self.olena.get(year).await.ok()["total"].clone();
        let told = ["total", "commission", "refunded"].map(|field| kopiykas(&total[field]));
        assert_eq!(
            told,
            [held, commissions, given_back],
            "{step:?}: the report {total}"
        );
        let came_back = "select cast(coalesce(sum(t.amount), 0) as bigint) from transfers t where t.status = 'returned'
            and t.refunded_at is null and not exists (select 1 from transfers a where a.replaces = t.id)";
        let came_back = self.app.number(came_back.to_owned()).await;
        assert_eq!(kopiykas(&total["returned"]), came_back, "{step:?}: {total}");

        let now = self.app.clock().shows();
        let services = self.app.services();
        let accountant = OperatorServices {
            recorder: self.app.recorder(),
            ..services.operator
        }
        .accountant(Vat::Without);
        let mut day: Date = date(2026, 3, 1);
        let (mut left, mut returned, mut earned) = (0, 0, 0);
        while day <= kyiv_date(now) {
            let daily = accountant.daily(day, now).await.unwrap();
            assert!(daily.adds_up(), "{step:?}: {day}");
            left += daily.left().kopiykas();
            returned += daily.refunded().kopiykas();
            earned += daily.commissions.kopiykas();
            for given in daily.given_back {
                let RefundKind::Part { documents, .. } = given.kind else {
                    panic!("{step:?}: only parts are given back");
                };
                assert_eq!(documents.len(), 1, "{step:?}");
            }
            day = day.tomorrow().unwrap();
        }
        assert_eq!(
            (left, returned, earned),
            (held, given_back, commissions),
            "{step:?}: the daily statements"
        );

        if step == Step::Pay {
            return;
        }
        let receipt = crate::transfers::receipt(self.olena, &self.order).await;
        let of_order = self.transfers().await;
        let has_returned = of_order.iter().any(|part| part["status"] == "returned");
        assert_eq!(
            receipt.contains("анк отримувача повернув") || receipt.contains("банк повернув"),
            has_returned,
            "{step:?}: {receipt}"
        );
        assert_eq!(
            receipt.contains("Повернено на картку"),
            step == Step::GiveBack,
            "{step:?}: {receipt}"
        );
    }
}

/// Goes the way once for each end, in the formats by turns.
async fn go_ways(app: &TestApp, steps: &[Step], ends: impl IntoIterator<Item = End>) {
    let olena = app.notary("olena").await;
    let owners = json!({ "owners": { ACCOUNT: OWNER } });
    app.outside().set_bank(&owners).await;
    for (place, end) in ends.into_iter().enumerate() {
        let mut way = Way {
            app,
            olena: &olena,
            format: FORMATS[place % FORMATS.len()],
            order: order(&olena).await,
            list: Vec::new(),
            handed: 0,
            returned: None,
        };
        way.go(steps, end).await;
    }
    app.finish_and_check().await;
}

on_both_databases! {
    async fn every_hryvnia_arrives_in_each_format(app: TestApp) {
        go_ways(&app, &STEPS, [End::Never; FORMATS.len()]).await;
    }

    async fn every_hryvnia_arrives_once_when_the_process_ends_during_a_step(app: TestApp) {
        go_ways(&app, &STEPS, (0..STEPS.len()).map(End::During)).await;
    }

    async fn what_came_back_goes_to_the_card_and_every_view_tells_the_same(app: TestApp) {
        go_ways(&app, &STEPS_TO_THE_CARD, [End::Never; 2]).await;
    }

    async fn every_hryvnia_arrives_once_when_a_step_is_carried_out_again(app: TestApp) {
        go_ways(&app, &STEPS, (0..STEPS.len()).map(End::After)).await;
    }
}
