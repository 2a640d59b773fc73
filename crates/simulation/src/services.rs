//! The use cases of the cabinet, as the server makes them.

use std::sync::Arc;

use cabinet_app::{AppSettings, Environment, Keys, Secrets, Services};
use cabinet_clock::PassingTime;
use cabinet_domain::{AccountLimits, CardFigures, Money, Randomness as _, SignUpConfirmation};
use cabinet_gateways::acquirer::{AcquirerName, Acquirers};
use cabinet_gateways::liqpay::{LiqPay, LiqPaySettings};
use cabinet_gateways::monobank::{Monobank, MonobankSettings};
use cabinet_gateways::outbound::BaseUrl;
use cabinet_gateways::realtime::Hub;
use cabinet_gateways::sms::SmsServices;
use cabinet_sandbox::SandboxSettings;
use cabinet_storage::Store;
use secrecy::SecretString;

use crate::acquirer::ADDRESS;
use crate::chance::Bytes;
use crate::messages::Messages;
use crate::time::{CabinetClock, Time};
use crate::weather::Weather;
use crate::wire::Wire;

/// Makes the application as the server does.
pub(crate) async fn start_services(
    store: &Store,
    time: &Arc<Time>,
    bytes: &Arc<Bytes>,
    wire: &Wire,
    messages: &Arc<Messages>,
    weather: &Weather,
) -> Services {
    let secret = SecretString::from("a secret of thirty-two characters or more");
    let hundred_million = Money::from_hryvnias(100_000_000).expect("a sum within its limits");
    let settings = AppSettings {
        sign_up_confirmation: SignUpConfirmation::Nobody,
        // A history declines more cards within an hour than a person holds out.
        account_limits: AccountLimits {
            declines_hourly_max: 1_000_000,
            ..AccountLimits::default()
        },
        // More than a history pays. A thief wants more.
        card_figures: CardFigures {
            daily_unproved_max: hundred_million,
            told_from: hundred_million,
        },
        page_hosts: vec![ADDRESS.trim_start_matches("http://").to_owned()],
        ..cabinet_app::testing::settings()
    };
    let address = BaseUrl::parse(ADDRESS).expect("the sandbox's address is one");
    let acquirer = MonobankSettings::new(address, SecretString::from("given by the wire"));
    let acquirer = Monobank::new(acquirer).expect("the adapter can be made");
    let acquirers = Acquirers::only(Arc::new(acquirer.with_transport(Arc::new(wire.clone()))));
    let acquirers = if weather.liqpay {
        let order = [AcquirerName::LiqPay, AcquirerName::Monobank];
        let liqpay = Arc::new(liqpay(wire));
        let acquirers = acquirers.and(Arc::clone(&liqpay) as _);
        let ordered = acquirers.with_statement(liqpay).in_order(&order);
        ordered.expect("both acquirers are set up")
    } else {
        acquirers
    };
    let environment = Environment {
        clock: Arc::new(CabinetClock(Arc::clone(time))),
        time: PassingTime::default(),
        randomness: Arc::clone(bytes) as _,
        acquirers,
        sms: SmsServices::only(Arc::clone(messages) as _),
        phone_calls: None,
        mail: None,
        hub: Arc::new(Hub::new(bytes.uuid_v4().to_string())),
    };
    let keys = Keys::derive(&Secrets::only(secret)).expect("the secret is long enough");
    let services = cabinet_app::compose(store.clone(), environment, keys, settings);
    let followed = services.reference.refresh().await;
    followed.expect("the stored reference data is without fault");
    services
}

/// Returns the adapter of LiqPay with the sandbox's keys.
fn liqpay(wire: &Wire) -> LiqPay {
    let keys = SandboxSettings::new(ADDRESS);
    let address = BaseUrl::parse(ADDRESS).expect("the sandbox's address is one");
    let private = SecretString::from(keys.liqpay_private_key);
    let settings = LiqPaySettings::new(address, keys.liqpay_public_key, private);
    let adapter = LiqPay::new(settings).expect("the adapter can be made");
    adapter.with_transport(Arc::new(wire.clone()))
}
