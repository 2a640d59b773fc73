//! Demo notaries and their history, for the sandbox alone.
//!
//! The history is made by the same functions as real orders, so it keeps the same invariants; only its time is in the past.

use cabinet_domain::payment::{
    AttemptKind, CardDetails, InvoiceId, InvoiceNews, InvoiceStatus, NewAttempt, News,
};
use cabinet_domain::{
    AttemptId, CardMask, CertificateNumber, ClientId, Count, EventId, Iban, Inn, ItemId, Key, Line,
    Money, NotaryId, Okpo, OrderId, OrderStatus, PaymentKind, PersonName, Phone,
    RegistryIdentifier, TextError, kyiv_date,
};
use cabinet_storage::cart::CartItem;
use cabinet_storage::items::ItemContent;
use cabinet_storage::notaries::{self, LoginStep, NewNotary, Profile};
use cabinet_storage::order_events::{self, OrderHistoryEvent};
use cabinet_storage::order_list::{self, OrderFilter};
use cabinet_storage::orders::{self, NewOrder, PaymentMethod};
use cabinet_storage::{StorageError, Tx, attempts, cart, clients};
use jiff::{SignedDuration, Timestamp};

use crate::App;
use crate::cart::{PaymentWish, check, content_of};
use crate::payments::{Unit, settle_in};
use crate::refusal::{AppError, FieldErrors, Outcome};

/// A notary of the sandbox.
pub struct DemoNotary {
    /// The phone to log in with.
    pub phone: &'static str,
    /// What to try with it, in both languages.
    pub about: &'static str,
    number: u128,
    full_name: &'static str,
    registry_identifier: &'static str,
    inn: &'static str,
    login_step: LoginStep,
    new_flow_enabled: bool,
    agreed: bool,
}

impl DemoNotary {
    /// The same in every sandbox, so that saved cards stay theirs.
    pub const fn id(&self) -> NotaryId {
        NotaryId::new(uuid::Uuid::from_u128(
            0xDE30_0000_0000_4000_8000_0000_0000_0000 + self.number,
        ))
    }

    fn profile(&self) -> Result<Profile, Key> {
        let text = |error: TextError| error.key(Key::FieldRequired);
        let full_name = PersonName::parse(self.full_name).map_err(text)?;
        let address = Line::parse(OWN_ADDRESS, Profile::ADDRESS_CHARS_MAX).map_err(text)?;
        Ok(Profile {
            inn: Some(Inn::parse(self.inn)?),
            iban: Some(Iban::parse(OWN_IBAN)?),
            okpo: Some(Okpo::parse(self.inn)?),
            certificate_number: Some(CertificateNumber::parse("1209")?),
            notary_address: Some(address),
            ..Profile::new(
                full_name,
                RegistryIdentifier::parse(self.registry_identifier)?,
            )
        })
    }
}

/// Everybody in the sandbox.
pub const DEMO_NOTARIES: [DemoNotary; 5] = [
    DemoNotary {
        phone: "+380501112233",
        about: "код з SMS / code by SMS",
        number: 1,
        full_name: "Коваль Олена Іванівна",
        registry_identifier: "NOTAR10001",
        inn: "3068208400",
        login_step: LoginStep::Otp,
        new_flow_enabled: true,
        agreed: true,
    },
    DemoNotary {
        phone: "+380502223344",
        about: "дзвінок, натиснути 1 / a call, press 1",
        number: 2,
        full_name: "Бондаренко Тарас Михайлович",
        registry_identifier: "NOTAR10002",
        inn: "1759013776",
        login_step: LoginStep::PhoneCall,
        new_flow_enabled: true,
        agreed: true,
    },
    DemoNotary {
        phone: "+380503334455",
        about: "ідентифікатор у реєстрі NOTAR12345 / registry identifier NOTAR12345",
        number: 3,
        full_name: "Шевчук Ірина Петрівна",
        registry_identifier: "NOTAR12345",
        inn: "3652504575",
        login_step: LoginStep::Custom,
        new_flow_enabled: true,
        agreed: true,
    },
    DemoNotary {
        phone: "+380504445566",
        about: "код з SMS, оплата одразу на сторінці банку / code by SMS, straight to the bank's page",
        number: 4,
        full_name: "Ткаченко Андрій Васильович",
        registry_identifier: "NOTAR10004",
        inn: "1234567899",
        login_step: LoginStep::Otp,
        new_flow_enabled: false,
        agreed: true,
    },
    DemoNotary {
        phone: "+380505556677",
        about: "код з SMS, ще не погодився з новими умовами / code by SMS, has not agreed to the new terms",
        number: 5,
        full_name: "Мельник Софія Богданівна",
        registry_identifier: "NOTAR10005",
        inn: "3068208400",
        login_step: LoginStep::Otp,
        new_flow_enabled: true,
        agreed: false,
    },
];

/// A payment of the past, to be known to the sandbox's acquirer too.
pub struct DemoPayment {
    /// Our reference.
    pub reference: String,
    /// Kopiykas.
    pub sum: i64,
    /// What the payment page showed.
    pub destination: String,
    /// When.
    pub at: Timestamp,
}

/// What is in a demo notary's archive: kind, days ago, how it ended.
const HISTORY: [(PaymentKind, i64, OrderStatus, (&str, &str)); 5] = [
    (
        PaymentKind::AdminPayment,
        1,
        OrderStatus::Paid,
        ("3652504575", "Гнатюк Петро Олександрович"),
    ),
    (
        PaymentKind::RequisitesPayment,
        3,
        OrderStatus::Expired,
        ("32855961", "ТОВ «Ранкова зоря»"),
    ),
    (
        PaymentKind::RegistryPayment,
        8,
        OrderStatus::Paid,
        ("АВ123456", "Лисенко Марія Степанівна"),
    ),
    (
        PaymentKind::AdminGovernmentPayment,
        21,
        OrderStatus::Paid,
        ("1759013776", "Кравець Богдан Юрійович"),
    ),
    (
        PaymentKind::AdminPayment,
        40,
        OrderStatus::Paid,
        ("3068208400", "Ґалаґан Єва Їржівна"),
    ),
];

/// Own account of every demo notary; invented, with right check digits.
const OWN_IBAN: &str = "UA223052990000026001234567890";
/// Address of every demo notary's office.
const OWN_ADDRESS: &str = "м. Київ, вул. Демонстраційна, 1";

impl App {
    /// Whether the database holds a demo notary.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn has_demo_notaries(&self) -> Outcome<bool> {
        let all = self.inner.store.read_long(notaries::all).await?;
        Ok(all
            .iter()
            .any(|notary| DEMO_NOTARIES.iter().any(|demo| demo.id() == notary.id)))
    }

    /// Whether the database holds notaries that the sandbox did not make: it never holds demo notaries then.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn has_real_notaries(&self) -> Outcome<bool> {
        let all = self.inner.store.read_long(notaries::all).await?;
        let has_demo = all
            .iter()
            .any(|notary| DEMO_NOTARIES.iter().any(|demo| demo.id() == notary.id));
        Ok(!all.is_empty() && !has_demo)
    }

    /// Adds the demo notaries that are not there yet.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn add_demo_notaries(&self) -> Outcome<()> {
        let now = self.now();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            for demo in &DEMO_NOTARIES {
                let (Ok(phone), Ok(profile)) = (Phone::parse(demo.phone), demo.profile()) else {
                    continue;
                };
                let account = NewNotary {
                    id: demo.id(),
                    phone,
                    full_name: profile.full_name.clone(),
                    registry_identifier: profile.registry_identifier.clone(),
                    login_step: demo.login_step,
                    new_flow_enabled: demo.new_flow_enabled,
                    agreed_terms_at: demo.agreed.then_some(now),
                    phone_verified_at: Some(now),
                    created_at: now,
                };
                if notaries::insert(tx, &account)? {
                    notaries::save_profile(tx, demo.id(), &profile, now)?;
                }
            }
            Ok(())
        };
        Ok(self.inner.store.write(write).await?)
    }

    /// Gives each demo notary some history. `pay` makes the acquirer know a payment and answers its invoice.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn add_demo_history(
        &self,
        pay: impl Fn(&DemoPayment) -> Option<String>,
    ) -> Outcome<()> {
        for demo in &DEMO_NOTARIES {
            let notary = demo.id();
            let filter = OrderFilter::default();
            let known = self
                .inner
                .store
                .read(move |tx| order_list::page_of(tx, notary, &filter, 1))
                .await?;
            if !known.is_empty() {
                continue;
            }
            for (kind, days, ending, client) in HISTORY.iter().rev() {
                let at = self.now()
                    - SignedDuration::from_hours(24 * days)
                    - SignedDuration::from_mins(7 * days);
                self.add_past_order(demo, *kind, at, *ending, *client, &pay)
                    .await?;
            }
        }
        Ok(())
    }

    async fn add_past_order(
        &self,
        demo: &DemoNotary,
        kind: PaymentKind,
        at: Timestamp,
        ending: OrderStatus,
        client: (&str, &str),
        pay: &impl Fn(&DemoPayment) -> Option<String>,
    ) -> Outcome<()> {
        let (inn, full_name, content) = self.past_item(demo, kind, at, client)?;
        let notary = demo.id();
        let (client, item, order) = (
            ClientId::new(self.new_id()),
            ItemId::new(self.new_id()),
            OrderId::new(self.new_id()),
        );
        let attempt = self.new_attempt_id(order);
        let sum = content
            .total()
            .map_err(|error| AppError::Broken(format!("a demo payment has no sum: {error}")))?;
        let paid_at = at + SignedDuration::from_secs(95);
        let payment = DemoPayment {
            reference: attempt.to_string(),
            sum: sum.kopiykas(),
            destination: "Оплата замовлення у кабінеті нотаріуса".to_owned(),
            at: paid_at,
        };
        let invoice = if ending == OrderStatus::Paid {
            pay(&payment).and_then(|invoice| InvoiceId::parse(&invoice))
        } else {
            None
        };
        let unit = Unit::begin(self, paid_at);
        let fresh = self.new_attempt_id(order);
        let event = EventId::new(self.new_id());
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let client = clients::upsert(tx, client, notary, &inn, &full_name, at)?;
            cart::add(
                tx,
                notary,
                client.id,
                &CartItem {
                    id: item,
                    created_at: at,
                    content: content.clone(),
                },
            )?;
            let new = NewOrder {
                id: order,
                notary_id: notary,
                client_id: client.id,
                created_at: at,
                sum,
                locale: cabinet_domain::Locale::Uk,
                method: PaymentMethod::CardPage,
                pan: None,
                idempotency_key: attempt.to_string(),
                request_fingerprint: [0; 32],
            };
            orders::create_from_cart(tx, &new)?;
            let prepared = NewAttempt {
                id: attempt,
                order_id: order,
                kind: AttemptKind::Invoice,
                amount: sum,
                created_at: at,
            }
            .prepared();
            attempts::save(tx, &prepared, at)?;
            order_events::add(
                tx,
                &OrderHistoryEvent {
                    id: event,
                    order_id: order,
                    at,
                    kind: "created".to_owned(),
                    from_status: None,
                    to_status: Some(OrderStatus::InProgress),
                    detail: None,
                },
            )?;
            settle_in(tx, &unit, order, &News::Submitting(attempt, Some(at)))?;
            let news = match &invoice {
                Some(invoice) => {
                    let paid = past_payment(invoice.clone(), attempt, sum, paid_at);
                    News::Told(Box::new(paid), fresh)
                }
                None => News::Withdrawn(attempt),
            };
            settle_in(tx, &unit, order, &news).map(drop)
        };
        Ok(self.inner.store.write(write).await?)
    }

    /// A payment of a kind as it could have been made at that time.
    fn past_item(
        &self,
        demo: &DemoNotary,
        kind: PaymentKind,
        at: Timestamp,
        (inn, full_name): (&str, &str),
    ) -> Outcome<(Inn, PersonName, ItemContent)> {
        let reference = self.reference()?;
        let day = kyiv_date(at);
        let broken =
            || AppError::Broken("the reference data has nothing for a demo payment".to_owned());
        let payment_type = reference.payment_type_of(kind).ok_or_else(broken)?;
        let mut wish = PaymentWish {
            client_inn: Some(inn.to_owned()),
            client_full_name: Some(full_name.to_owned()),
            payment_type_id: Some(payment_type.id().to_string()),
            ..PaymentWish::default()
        };
        if kind.is_free_form() {
            let templates = reference.templates(day);
            let template = templates.first().ok_or_else(broken)?;
            wish.amount = Some(
                template
                    .amount()
                    .unwrap_or(cabinet_domain::Money::from_hryvnias(850).map_err(|_| broken())?),
            );
            wish.iban = Some(template.iban().as_str().to_owned());
            wish.okpo = Some(template.okpo().as_str().to_owned());
            wish.recipient_name = Some(template.recipient_name().to_owned());
            wish.purpose = Some(template.purpose_for(full_name, inn));
            wish.cbc_code = template.budget_code().map(|code| code.as_str().to_owned());
            wish.template_id = Some(template.id().to_string());
        } else {
            let options = reference.options(payment_type.id(), day);
            let option = options.first().ok_or_else(broken)?;
            let terms = reference.terms(option.id(), day);
            let term = terms.first().map(|in_force| in_force.term);
            let code = term.and_then(|term| term.budget_code());
            let found = reference.regions().iter().find_map(|region| {
                let requisites = reference.requisites(region.id(), payment_type.id(), code, day);
                requisites
                    .first()
                    .map(|requisite| (region, requisite.id().to_string()))
            });
            let (region, requisite) = found.ok_or_else(broken)?;
            wish.option_id = Some(option.id().to_string());
            wish.term_id = term.map(|term| term.id().to_string());
            wish.region_id = Some(region.id().to_string());
            wish.requisite_id = Some(requisite);
            wish.iban = Some(OWN_IBAN.to_owned());
            wish.okpo = Some(demo.inn.to_owned());
        }
        let checked = check(&wish, FieldErrors::new(), &reference, None, at)?;
        let content = content_of(&checked, Count::ONE);
        Ok((checked.inn, checked.full_name, content))
    }
}

fn past_payment(
    invoice_id: InvoiceId,
    reference: AttemptId,
    sum: Money,
    paid_at: Timestamp,
) -> InvoiceNews {
    InvoiceNews {
        invoice_id,
        reference: Some(reference),
        status: InvoiceStatus::Success,
        amount: sum,
        is_hryvnia: true,
        refunded: Money::ZERO,
        modified_at: Some(paid_at),
        created_at: None,
        as_of: Some(paid_at),
        card: CardDetails {
            masked_pan: CardMask::parse("424242******4242"),
            payment_system: Some("visa".to_owned()),
            approval_code: Some("662476".to_owned()),
            rrn: Some("060189181768".to_owned()),
        },
        failure_code: None,
    }
}
