//! No personal data in the log: a run through all features and failures, then a search for every secret.

use axum::http::Method;
use cabinet_domain::{Phone, StandingDecision};
use cabinet_storage::testing::execute;
use cabinet_test_kit::{
    CardsFrame, Fault, FaultKind, FaultService, PaymentKind, log_written, on_both_databases,
};
use serde_json::{Value, json};

use crate::proofs::{ask, enter};

const PHONE: &str = "+380931113377";
const OTHER_PHONE: &str = "+380931113388";
const NAME: &str = "Приватна Людмила Захарівна";
const CLIENT: &str = "Потаємний Клим Орестович";
const CLIENT_INN: &str = "2817364509";
const COMPLAINT: &str = "Скарга про те, що знаю лише я";
const PURPOSE: &str = "Оплата за таємну послугу, 2817364509";

on_both_databases! {
    async fn the_log_of_a_whole_run_names_nobody(app: TestApp) {
        // Long codes, which can't occur in another number by chance.
        app.restart_with(|settings| settings.app.codes.digits = 8).await;
        let mut secrets: Vec<String> = [PHONE, OTHER_PHONE, "931113388", "380931113377", "931113377", "093 111 33 77", NAME, "Приватна", CLIENT, "Потаємний", CLIENT_INN, COMPLAINT, PURPOSE, "таємну", "PRIVATE777", "liudmyla@private.example", "Прихована", "3184703216", "5105105105105100", "UA263220010000026004444444440"].map(str::to_owned).into();

        let typed = secrets.len();

        let nadiia = app.anonymous();
        let wish = json!({ "full_name": NAME, "phone": "093 111 33 77", "registry_identifier": "PRIVATE777", "is_agreed": true });
        let started = nadiia.post("/auth/sign-up", wish).await.ok();
        let code = app.outside().code(PHONE);
        assert_eq!(code.len(), 8);
        let verify = |code: &str| json!({ "otp_code": code, "operation_id": started["operation_id"] });
        nadiia.post("/auth/sign-up/verify", verify("00000000")).await;
        nadiia.post("/auth/sign-up/verify", verify(&code)).await.ok();
        secrets.extend([code, nadiia.access_token(), nadiia.refresh_token()]);

        // The register, which a broken file does not replace, and the operator's decision.
        let services = app.services();
        let now = services.now();
        for register in [format!("FIO,LICENSE,INFO\n{NAME},7a,\n"), format!("FIO,LICENSE,IDENTIFIER,INFO,PHONE\n{NAME},77,PRIVATE777,,{OTHER_PHONE}\n")] {
            let _ = services.operator.account_confirmation().load_register(&register, now).await;
        }
        let started = nadiia.post("/auth/confirmation", json!({ "account": true })).await.ok();
        let code = app.outside().code(OTHER_PHONE);
        for code in ["00000000", &code[..7]] {
            let body = json!({ "otp_code": code, "operation_id": started["operation_id"] });
            nadiia.post("/auth/confirmation/otp", body).await;
        }
        secrets.push(code);
        let phone = Phone::parse(PHONE).unwrap();
        let reason = format!("Перевірено: {NAME}");
        let decided = services.operator.account_confirmation().decide(phone, StandingDecision::Confirm, &reason, now).await;
        assert!(decided.is_ok());

        let profile = json!({ "full_name": NAME, "registry_identifier": "PRIVATE777", "inn": "3184703216", "email": "liudmyla@private.example", "notary_address": "вул. Прихована, 7", "phone_additional": "0931113377", "card_pan": "5105 1051 0510 5100", "iban": "UA223052990000026001234567890", "okpo": "3184703216" });
        app.clock().advance_seconds(60);
        let refused = nadiia.post("/me", profile.clone()).await;
        refused.refused(403, "confirmation_required");
        let proving = nadiia.post("/auth/confirmation", refused.json()["proof"].clone()).await.ok();
        let code = app.outside().code(PHONE);
        let proof = json!({ "otp_code": code, "operation_id": proving["operation_id"] });
        nadiia.post("/auth/confirmation/otp", proof).await.ok();
        secrets.push(code);
        nadiia.post("/me", profile).await.ok();
        nadiia.post("/me", json!({ "full_name": NAME, "email": "liudmyla@private.example@", "iban": "UA263220010000026004444444440" })).await;

        // Logging in, with a wrong code, a broken message service and an unreadable body.
        app.clock().advance_seconds(100);
        app.outside().faults(&[Fault::new(FaultService::Sms, FaultKind::Status500)]).await;
        nadiia.post("/auth/login", json!({ "phone": PHONE })).await;
        app.clock().advance_seconds(30);
        let started = nadiia.post("/auth/login", json!({ "phone": PHONE })).await.ok();
        let code = app.outside().code(PHONE);
        let body = |code: &str| json!({ "phone": PHONE, "otp_code": code, "operation_id": started["operation_id"] });
        nadiia.post("/auth/login/otp", body("99999999")).await;
        nadiia.post("/auth/login/otp", body(&code)).await.ok();
        nadiia.call(Method::POST, "/auth/login").bytes(format!("{{\"phone\": \"{PHONE}\", ").into_bytes()).send().await;
        nadiia.call(Method::POST, "/auth/login").bytes(format!("{{\"phone\": [\"{PHONE}\"]}}").into_bytes()).send().await;
        secrets.extend([code, nadiia.access_token(), nadiia.refresh_token()]);

        // A cart, a search, a complaint, refusals of all of them.
        let form = nadiia.form(PaymentKind::RequisitesPayment).await.with("client.full_name", CLIENT).with("client.inn", CLIENT_INN).with("purpose", PURPOSE);
        nadiia.post("/cart/add", form.clone().with("iban", "UA263220010000026004444444440").body).await;
        nadiia.post("/cart/add", form.clone().with("sum", 1).body).await.refused(409, "price_changed");
        let item = nadiia.add_payment(&form).await;
        nadiia.post("/cart/item/complaint", json!({ "cart_item_id": item, "text": COMPLAINT })).await.ok();
        nadiia.post("/order/search", json!({ "text": CLIENT })).await.ok();
        assert_eq!(nadiia.post("/order/export", json!({ "text": CLIENT })).await.status, 200);
        nadiia.get(&format!("/order?before={CLIENT_INN}")).await;
        nadiia.get(&format!("/payment-types/fields?payment_type_id={CLIENT_INN}")).await;

        // Paying: declined, silent, forged, wrong, and at last paid; its receipts.
        let order = nadiia.order_cart().await;
        let page = order["widget_url"].as_str().unwrap().to_owned();
        app.outside().pay(&page, "4000000000000002").await;
        nadiia.until(&order, "failed").await;
        let mut garbage = Fault::new(FaultService::Acquirer, FaultKind::Garbage);
        garbage.path = Some("invoice/status".to_owned());
        let reports = [FaultKind::Forge, FaultKind::WrongAmount].map(|kind| Fault::new(FaultService::Reports, kind));
        app.outside().faults(&[reports.to_vec(), vec![garbage]].concat()).await;
        app.clock().advance_seconds(5);
        app.outside().pay(&page, "5105105105105100").await;
        let id = order["id"].as_str().unwrap();
        // The first status request may get garbage, the second a wrong sum.
        for _ in 0..3 {
            nadiia.get(&format!("/order/{id}/status")).await;
        }
        // The worker polls a failed order while its page is open.
        for _ in 0..2 {
            app.clock().advance_seconds(200);
            app.work().await;
        }
        nadiia.until(&order, "paid").await;
        for path in ["receipt", "receipts", "receipt?receipt_type=commission"] {
            assert_eq!(nadiia.get(&format!("/order/{id}/{path}")).await.status, 200);
        }
        nadiia.get(&format!("/order/item/{item}/repeat")).await.ok();

        // A saved card, by its token and by what a careless client might send.
        let adding = CardsFrame::open(&nadiia).await.add().await;
        assert_eq!(app.outside().pay(&adding, "5105105105105100").await, "success");
        let cards = nadiia.get("/order/token/get-all-tokens-by-phone").await.ok();
        let token = cards["tokens"][0]["Token"].as_str().unwrap().to_owned();
        nadiia.add_payment(&form).await;
        let mut body = nadiia.order_body().await;
        for (token, pan) in [("5105105105105100", Value::Null), (token.as_str(), "5105105105105100".into())] {
            (body["token_id"], body["pan"]) = (token.into(), pan);
            nadiia.create_order(&nadiia.fresh_key(), &body).await.refused(422, "card_number_not_accepted");
        }
        body["pan"] = cards["tokens"][0]["MaskPan"].clone();
        let key = nadiia.fresh_key();
        let refused = nadiia.create_order(&key, &body).await;
        refused.refused(403, "confirmation_required");
        let started = ask(&nadiia, &refused).await;
        let code = app.outside().code(PHONE);
        enter(&nadiia, &started, &code).await.ok();
        assert_eq!(nadiia.create_order(&key, &body).await.ok()["order"]["status"], "paid");
        secrets.extend([token.clone(), code]);

        // A stolen token, an internal error, the end of the session.
        let used = nadiia.refresh_token();
        nadiia.refresh().await.ok();
        secrets.push(nadiia.refresh_token());
        nadiia.refresh().await.ok();
        secrets.extend([used.clone(), nadiia.access_token(), nadiia.refresh_token()]);
        app.clock().advance_seconds(11);
        let thief = app.anonymous();
        thief.hold_refresh_token(&used);
        thief.refresh().await.refused(401, "session_expired");
        app.finish_and_check().await;
        // Names and phones are stored where they must be; codes, tokens and card numbers nowhere. A report of the acquirer is stored
        // as it came, and it tells the token of the card that was saved.
        let elsewhere = secrets[typed..].iter().filter(|secret| **secret != token).map(String::as_str);
        for secret in elsewhere.chain(["5105105105105100"]) {
            assert!(!app.stores(secret).await, "{secret} stands in the database");
        }
        app.services().store.write(|tx| execute(tx, "drop table complaints")).await.unwrap();
        app.clock().advance_seconds(100);
        let started = nadiia.post("/auth/login", json!({ "phone": PHONE })).await.ok();
        let body = json!({ "phone": PHONE, "otp_code": app.outside().code(PHONE), "operation_id": started["operation_id"] });
        nadiia.post("/auth/login/otp", body).await.ok();
        let item = nadiia.add_payment(&form).await;
        nadiia.post("/cart/item/complaint", json!({ "cart_item_id": item, "text": COMPLAINT })).await.refused(500, "internal_error");
        nadiia.call(Method::POST, "/auth/logout").send().await.ok();

        let log = log_written();
        for secret in secrets {
            let told = log.lines().find(|line| line.contains(&secret));
            assert_eq!(told, None, "{secret} stands in the log");
        }
        // The log is there, one JSON object a line, and names calls by their pattern.
        for line in log.lines() {
            assert!(serde_json::from_str::<Value>(line).is_ok_and(|line| line.is_object()), "{line}");
        }
        assert!(log.contains("\"http.route\":\"/api/order/{id}/status\""));
        assert!(log.contains("A used refresh token came again"));
        assert!(log.contains("A request failed by a fault of ours"));
    }
}
