//! The realtime endpoint: rights to channels, recovery of missed messages, tokens.

use cabinet_app::transfer::Format;
use cabinet_bank_files::Encoding;
use cabinet_domain::TransferStatus;
use cabinet_test_kit::{
    Fault, FaultKind, FaultService, LoginStep, PaymentKind, Person, TestApp, WAITING_MAX,
    on_both_databases, on_sqlite,
};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::transfers::{import, list_as};

/// A connection that counts its commands.
pub(crate) struct Connection {
    socket: WebSocketStream<TcpStream>,
    commands: u32,
}

impl Connection {
    /// Opens a connection from a page of the origin. Returns the status when it is refused.
    pub(crate) async fn open(app: &TestApp, origin: Option<&str>) -> Result<Connection, u16> {
        let host = app.public_url().trim_start_matches("http://").to_owned();
        let mut request = format!("ws://{host}/connection/websocket")
            .into_client_request()
            .unwrap();
        if let Some(origin) = origin {
            request
                .headers_mut()
                .insert("origin", origin.parse().unwrap());
        }
        let stream = TcpStream::connect(&host).await.unwrap();
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Connection {
                socket,
                commands: 0,
            }),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    /// Opens a connection with a token.
    pub(crate) async fn of(app: &TestApp, token: &str) -> Connection {
        let mut connection = Connection::open(app, Some(app.public_url())).await.unwrap();
        let reply = connection
            .command("connect", json!({ "token": token }))
            .await;
        assert_eq!(reply["connect"]["expires"], true, "{reply}");
        connection
    }

    /// Sends a frame.
    pub(crate) async fn say(&mut self, frame: &str) {
        self.socket
            .send(Message::text(frame.to_owned()))
            .await
            .unwrap();
    }

    /// Sends a command and returns the reply.
    pub(crate) async fn command(&mut self, name: &str, content: Value) -> Value {
        self.commands += 1;
        let command = json!({ "id": self.commands, name: content });
        self.socket
            .send(Message::text(command.to_string()))
            .await
            .unwrap();
        let reply = self.heard().await;
        assert_eq!(reply["id"], self.commands, "{reply}");
        reply
    }

    /// Subscribes to a channel. Returns the error code when it is refused.
    pub(crate) async fn subscribe(&mut self, channel: &str) -> Result<Value, i64> {
        let reply = self
            .command("subscribe", json!({ "channel": channel }))
            .await;
        match reply["error"]["code"].as_i64() {
            Some(code) => Err(code),
            None => Ok(reply["subscribe"].clone()),
        }
    }

    /// Returns the next message of the server.
    pub(crate) async fn heard(&mut self) -> Value {
        let next = tokio::time::timeout(WAITING_MAX, self.socket.next()).await;
        match next.expect("the server says something").unwrap().unwrap() {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            Message::Close(frame) => json!({ "closed": u16::from(frame.unwrap().code) }),
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) async fn token(person: &Person) -> String {
    person.get("/cntr/tkn").await.ok()["token"]
        .as_str()
        .unwrap()
        .to_owned()
}

pub(crate) fn channel_of(person: &Person) -> String {
    format!("notary:{}", person.id())
}

/// Starts a login by phone call. Returns the person and the transaction id.
pub(crate) async fn login_by_phone_call(app: &TestApp, name: &str) -> (Person, String) {
    let person = app
        .account_with(name, |account| account.login_step = LoginStep::PhoneCall)
        .await;
    let started = person
        .post("/auth/login", json!({ "phone": person.phone() }))
        .await
        .ok();
    (
        person,
        started["transaction_id"].as_str().unwrap().to_owned(),
    )
}

const PERMISSION_DENIED: i64 = 103;

on_both_databases! {
    async fn without_a_login_one_listens_to_ones_own_call_and_to_nothing_else(app: TestApp) {
        let (olena, call) = login_by_phone_call(&app, "olena").await;
        let (taras, other_call) = login_by_phone_call(&app, "taras").await;
        let iryna = app.notary("iryna").await;

        for channel in [channel_of(&iryna), channel_of(&olena), "0199aaaa-0000-7000-8000-000000000000".to_owned(), "notary".to_owned(), format!("{call} ")] {
            let mut refused = Connection::of(&app, &token(&olena).await).await;
            assert_eq!(refused.subscribe(&channel).await, Err(PERMISSION_DENIED), "{channel}");
        }
        let mut waiting = Connection::of(&app, &token(&olena).await).await;
        let listening = waiting.subscribe(&call).await.unwrap();
        assert_eq!((&listening["offset"], &listening["publications"]), (&json!(0), &json!([])));
        // One channel only, even if the other id is known.
        for channel in [&other_call, &channel_of(&iryna)] {
            assert_eq!(waiting.subscribe(channel).await, Err(PERMISSION_DENIED), "{channel}");
        }

        // Only messages about this call arrive.
        app.outside().answer_phone_call(taras.phone(), "1").await;
        app.outside().answer_phone_call(olena.phone(), "1").await;
        let told = waiting.heard().await;
        assert_eq!(told["push"]["channel"], call);
        assert_eq!(told["push"]["pub"]["data"], json!({ "result": 10 }));
        let body = json!({ "phone": olena.phone(), "transaction_id": call });
        olena.post("/auth/login/phone-call/verify", body).await.ok();
        // After the login, nobody can subscribe to the call's channel.
        let mut late = Connection::of(&app, &token(&app.anonymous()).await).await;
        assert_eq!(late.subscribe(&call).await, Err(PERMISSION_DENIED));
        app.clock().advance_seconds(3_600);
        let mut late = Connection::of(&app, &token(&app.anonymous()).await).await;
        assert_eq!(late.subscribe(&other_call).await, Err(PERMISSION_DENIED), "the call was over long ago");
    }

    async fn a_connection_that_asks_for_what_it_may_not_is_closed(app: TestApp) {
        let stranger = app.anonymous();
        let mut connection = Connection::of(&app, &token(&stranger).await).await;
        for number in 1..=3 {
            let channel = format!("0199aaaa-0000-4000-8000-00000000000{number}");
            assert_eq!(connection.subscribe(&channel).await, Err(PERMISSION_DENIED));
        }
        let parting = connection.heard().await;
        assert_eq!(parting["push"]["disconnect"]["code"], 3505, "{parting}");
        assert_eq!(connection.heard().await, json!({ "closed": 3505 }));
    }

    async fn a_connection_that_sends_commands_without_end_is_closed(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut connection = Connection::of(&app, &token(&olena).await).await;
        connection.subscribe(&channel_of(&olena)).await.unwrap();
        // In one frame, so that more than twenty of them come within a second on any machine.
        let commands: Vec<String> = (10..510).map(|id| json!({ "id": id, "unsubscribe": { "channel": "none" } }).to_string()).collect();
        connection.say(&commands.join("\n")).await;
        let mut carried_out = 0;
        let ending = loop {
            let heard = connection.heard().await;
            if heard["unsubscribe"].is_object() {
                carried_out += 1;
            } else if heard["closed"].is_number() {
                break heard;
            }
        };
        assert_eq!(ending, json!({ "closed": 3505 }));
        assert!(carried_out < 500, "{carried_out}");
    }

    async fn a_notary_listens_to_her_own_channel(app: TestApp) {
        let (olena, taras) = (app.notary("olena").await, app.notary("taras").await);
        let (_, call) = login_by_phone_call(&app, "iryna").await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        for channel in [channel_of(&taras), call] {
            assert_eq!(page.subscribe(&channel).await, Err(PERMISSION_DENIED), "{channel}");
        }
        page.subscribe(&channel_of(&olena)).await.unwrap();
        taras.add(PaymentKind::RegistryPayment).await;
        olena.add(PaymentKind::RegistryPayment).await;
        let told = page.heard().await;
        assert_eq!(told["push"]["channel"], channel_of(&olena));
        assert_eq!(told["push"]["pub"]["data"], json!({ "cart": { "version": 1, "items_count": 1 } }));
    }

    async fn a_payment_of_the_cart_that_was_changed_is_told_of_once(app: TestApp) {
        let olena = app.notary("olena").await;
        let item = olena.add(PaymentKind::RequisitesPayment).await;
        app.until_told().await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        page.subscribe(&channel_of(&olena)).await.unwrap();
        let version = olena.get(&format!("/cart/item/{item}")).await.ok()["version"].clone();
        let payment = olena.form(PaymentKind::RequisitesPayment).await.with("purpose", "Оренда зали, 3652504575");
        let body = json!({ "cart_item_id": item, "version": version, "payment": payment.body });
        for _ in 0..2 {
            olena.post("/cart/item/edit", body.clone()).await.ok();
        }
        let told = page.heard().await;
        let cart = olena.get("/cart").await.ok();
        assert_eq!(told["push"]["pub"]["data"], json!({ "cart": { "version": cart["version"], "items_count": 1 } }));
        // The same request made again has changed nothing, so the next message is that of an addition.
        olena.add(PaymentKind::RegistryPayment).await;
        assert_eq!(page.heard().await["push"]["pub"]["data"]["cart"]["items_count"], 2);
    }
}

on_both_databases! {
    async fn an_order_is_told_of_once_when_a_file_of_the_bank_changes_its_transfers(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let order = olena.pay(&order).await;
        app.until_told().await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        page.subscribe(&channel_of(&olena)).await.unwrap();
        let list = list_as(&app, Format::Csv(Encoding::Utf8)).await;
        import(&app, &list, Some(TransferStatus::Sent)).await.unwrap();
        app.work().await;
        let told = page.heard().await;
        assert_eq!(told["push"]["pub"]["data"]["order"]["id"], order["id"]);
        // The next message is that of the cart: the order is not told of again.
        app.work().await;
        olena.add(PaymentKind::RegistryPayment).await;
        let told = page.heard().await;
        assert_eq!(told["push"]["pub"]["data"]["cart"]["items_count"], 1, "{told}");
        app.finish_and_check().await;
    }
}

on_both_databases! {
    async fn an_order_is_told_of_when_it_changes_and_not_whenever_the_bank_is_asked(app: TestApp) {
        let olena = app.notary("olena").await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        page.subscribe(&channel_of(&olena)).await.unwrap();
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        let mut wrong_sum = Fault::new(FaultService::Acquirer, FaultKind::WrongAmount);
        wrong_sum.path = Some("invoice/status".to_owned());
        wrong_sum.calls = 100;
        let mut no_reports = Fault::new(FaultService::Reports, FaultKind::Drop);
        no_reports.calls = 100;
        app.outside().faults(&[wrong_sum, no_reports]).await;
        app.outside().pay(order["widget_url"].as_str().unwrap(), "4242424242424242").await;
        // Pages request the status after each message, so messages without a change would never end.
        let address = format!("/order/{}?update_status=1", order["id"].as_str().unwrap());
        for _ in 0..4 {
            assert_eq!(olena.get(&address).await.ok()["order"]["payment_state"], "under_review");
        }
        olena.add(PaymentKind::RegistryPayment).await;
        let mut states = Vec::new();
        loop {
            let told = page.heard().await["push"]["pub"]["data"].clone();
            if told["cart"]["items_count"] == 1 && !states.is_empty() {
                break;
            }
            states.extend(told["order"]["payment_state"].as_str().map(str::to_owned));
        }
        // Whoever hears of a change reads the state, which may be a later one already; what waits to be told is told together.
        assert!(states.len() <= 3 && states.last().is_some_and(|last| last == "under_review"), "{states:?}");
        app.outside().faults(&[]).await;
        assert_eq!(olena.get(&address).await.ok()["order"]["payment_state"], "paid");
        assert_eq!(page.heard().await["push"]["pub"]["data"]["order"]["payment_state"], "paid");
        app.finish_and_check().await;
    }
}

on_sqlite! {
    async fn whoever_was_away_hears_what_was_said_meanwhile(app: TestApp) {
        let olena = app.notary("olena").await;
        let channel = channel_of(&olena);
        let mut page = Connection::of(&app, &token(&olena).await).await;
        let before = page.subscribe(&channel).await.unwrap();
        olena.add(PaymentKind::RegistryPayment).await;
        let first = page.heard().await["push"]["pub"]["offset"].clone();
        drop(page);
        for _ in 0..2 {
            olena.add(PaymentKind::RegistryPayment).await;
            app.until_told().await;
        }

        let back = |offset: &Value| json!({ "channel": channel, "recover": true, "offset": offset, "epoch": before["epoch"] });
        let mut page = Connection::of(&app, &token(&olena).await).await;
        let reply = page.command("subscribe", back(&first)).await["subscribe"].clone();
        assert_eq!((&reply["was_recovering"], &reply["recovered"]), (&json!(true), &json!(true)));
        let missed: Vec<&Value> = reply["publications"].as_array().unwrap().iter().map(|heard| &heard["data"]["cart"]["items_count"]).collect();
        assert_eq!(missed, [2, 3]);
        // New messages follow.
        olena.add(PaymentKind::RegistryPayment).await;
        assert_eq!(page.heard().await["push"]["pub"]["data"]["cart"]["items_count"], 4);

        // After a restart recovery is reported as failed, so the page reloads.
        app.restart().await;
        let mut page = Connection::of(&app, &token(&olena).await).await;
        let reply = page.command("subscribe", back(&first)).await["subscribe"].clone();
        assert_eq!((&reply["was_recovering"], &reply["recovered"], &reply["publications"]), (&json!(true), &json!(false), &json!([])));
        assert_ne!(reply["epoch"], before["epoch"]);
    }

    async fn a_connection_is_taken_from_our_own_pages_alone(app: TestApp) {
        for origin in ["https://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:8080", &format!("{}.evil.example", app.public_url())] {
            assert_eq!(Connection::open(&app, Some(origin)).await.err(), Some(403), "{origin}");
        }
        assert!(Connection::open(&app, Some(app.public_url())).await.is_ok());
    }

    async fn a_token_opens_a_connection_until_its_end(app: TestApp) {
        let olena = app.notary("olena").await;
        let old = token(&olena).await;
        let mut page = Connection::of(&app, &old).await;
        let refreshed = page.command("refresh", json!({ "token": token(&olena).await })).await;
        assert_eq!(refreshed["refresh"]["expires"], true);
        // A connection can't switch to another notary.
        let taras = app.notary("taras").await;
        let mut page = Connection::of(&app, &old).await;
        page.socket.send(Message::text(json!({ "id": 2, "refresh": { "token": token(&taras).await } }).to_string())).await.unwrap();
        assert_eq!(page.heard().await["push"]["disconnect"]["code"], 3500);

        app.clock().advance_seconds(601);
        let mut page = Connection::open(&app, Some(app.public_url())).await.unwrap();
        let reply = page.command("connect", json!({ "token": old })).await;
        assert_eq!(reply["error"]["code"], 109, "the client fetches another and comes again");
        for wrong in ["", "x", &olena.access_token()] {
            let mut page = Connection::open(&app, Some(app.public_url())).await.unwrap();
            page.socket.send(Message::text(json!({ "id": 1, "connect": { "token": wrong } }).to_string())).await.unwrap();
            assert_eq!(page.heard().await["push"]["disconnect"]["code"], 3500, "{wrong}");
            assert_eq!(page.heard().await["closed"], 3500);
        }
    }
}

on_sqlite! {
    async fn one_address_takes_only_its_own_places_of_strangers(app: TestApp) {
        app.restart_with(|settings| settings.realtime_strangers_of_address_max = 2).await;
        let olena = app.notary("olena").await;
        let stranger = token(&app.anonymous()).await;
        let first = Connection::of(&app, &stranger).await;
        let _second = Connection::of(&app, &stranger).await;
        // Also one that says nothing yet takes a place.
        assert_eq!(Connection::open(&app, Some(app.public_url())).await.err(), Some(429));
        drop(first);
        let notary = token(&olena).await;
        // Notaries take none: it is given back when they are known. The server may first have to notice the end of the stranger.
        let open_all = async {
            let mut signed_in = Vec::new();
            while signed_in.len() < 4 {
                match Connection::open(&app, Some(app.public_url())).await {
                    Ok(mut connection) => {
                        connection.command("connect", json!({ "token": notary })).await;
                        signed_in.push(connection);
                    }
                    Err(status) => assert_eq!(status, 429),
                }
            }
        };
        tokio::time::timeout(WAITING_MAX, open_all).await.expect("notaries are not counted");
    }
}
