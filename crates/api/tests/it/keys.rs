//! Rotation of the installation's secret.

use axum::http::Method;
use cabinet_app::kernel::keys::{KeyPurpose, KeysError};
use cabinet_domain::OperatorReason;
use cabinet_test_kit::{PaymentKind, TestApp, TestSettings, on_both_databases};
use serde_json::json;

use crate::client_link::link;
use crate::receipts::check_code;

const FIRST: &str = "the first secret of this installation";
const SECOND: &str = "the second secret of this installation";
const THIRD: &str = "the third secret of this installation";

fn rotated_once(settings: &mut TestSettings) {
    settings.secret = SECOND;
    settings.previous_secret = Some(FIRST);
    settings.wallet_secret = Some(FIRST);
}

fn rotated_twice(settings: &mut TestSettings) {
    settings.secret = THIRD;
    settings.previous_secret = None;
    settings.receipt_secrets = vec![SECOND, FIRST];
}

async fn remember(app: &TestApp) -> Result<(), KeysError> {
    let services = app.services();
    services
        .keys
        .remember(&services.store, services.now())
        .await
}

on_both_databases! {
    async fn what_the_trail_keeps_of_a_proof_can_be_computed_by_no_reader(app: TestApp) {
        for secret in [FIRST, SECOND] {
            app.restart_with(|settings| settings.secret = secret).await;
            let olena = app.notary("olena").await;
            olena.elsewhere().log_in().await;
            olena.post_proved("/me/sessions/end-others", json!({})).await.ok();
            olena.post("/auth/logout", json!({})).await;
            app.clock().advance_seconds(60);
        }
        // The same act has another digest under another secret.
        let ended = "audit_events where action = 'sessions_ended' and changes like '%proved%'";
        assert_eq!(app.number(format!("select count(*) from {ended}")).await, 2);
        assert_eq!(app.number(format!("select count(distinct changes) from {ended}")).await, 2);
        assert_eq!(app.number(format!("select count(distinct length(changes)) from {ended}")).await, 1);
    }

    async fn a_rotation_ends_no_session_and_keeps_cards_and_printed_receipts(app: TestApp) {
        app.restart_with(|settings| settings.secret = FIRST).await;
        remember(&app).await.unwrap();
        let olena = app.notary("olena").await;
        let card = olena.save_card("4242424242424242");
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let path = format!("/order/{}/receipt", order["id"].as_str().unwrap());
        let printed = check_code(&olena.get(&path).await);
        olena.add(PaymentKind::RegistryPayment).await;
        let sent = link(&olena, &olena.order_cart().await).await;
        let opens = async || app.anonymous().page(&sent).await.status;
        assert_eq!(opens().await, 200);
        let genuine = async |code: &str| app.anonymous().page(&format!("/check?code={code}")).await.status;
        let cards = async || olena.get("/order/token/get-all-tokens-by-phone").await.ok().to_string();

        app.restart_with(rotated_once).await;
        remember(&app).await.unwrap();
        // The access token from before is still good.
        assert!(cards().await.contains(&card));
        assert_eq!(genuine(&printed).await, 200);
        let after = check_code(&olena.get(&path).await);
        assert_ne!(after, printed);
        assert_eq!(genuine(&after).await, 200);

        // A start with the secret before seals the transfers anew.
        app.restart_with(|settings| (settings.secret, settings.previous_secret) = (THIRD, Some(SECOND))).await;
        app.restart_with(rotated_twice).await;
        remember(&app).await.unwrap();
        // An access token of a retired secret is not, and the session goes on.
        olena.get("/cart").await.refused(401, "unauthorized");
        olena.refresh().await.ok();
        assert!(cards().await.contains(&card));
        for code in [&printed, &after] {
            assert_eq!(genuine(code).await, 200);
        }
        // A client's link lives longer than a secret is the previous one.
        assert_eq!(opens().await, 200);
        app.finish_and_check().await;
    }

    async fn a_start_with_keys_that_would_lose_something_is_refused(app: TestApp) {
        app.restart_with(|settings| settings.secret = FIRST).await;
        remember(&app).await.unwrap();
        remember(&app).await.unwrap();
        app.restart_with(|settings| settings.secret = SECOND).await;
        assert!(matches!(remember(&app).await, Err(KeysError::OtherWallet)));
        app.restart_with(|settings| settings.wallet_secret = Some(FIRST)).await;
        let missing = remember(&app).await.unwrap_err();
        assert!(matches!(&missing, KeysError::ReceiptsUnprovable(keys) if keys.len() == 1), "{missing}");
        assert!(!missing.to_string().contains("secret"), "{missing}");
        // What was refused was not remembered.
        let remembered = || app.number("select count(*) from key_ids where purpose <> 'transfers'".to_owned());
        assert_eq!(remembered().await, 2);
        app.restart_with(|settings| settings.receipt_secrets = vec![FIRST]).await;
        remember(&app).await.unwrap();
        assert_eq!(remembered().await, 3);
        // Secrets that are lost.
        app.restart_with(|settings| *settings = TestSettings { secret: THIRD, ..TestSettings::default() }).await;
        let services = app.services();
        let (keys, store) = (&services.keys, &services.store);
        let (recorder, now) = (app.recorder(), app.clock().shows());
        let reason = OperatorReason::parse("SD-7").unwrap();
        for (purpose, known) in [(KeyPurpose::Wallet, 1), (KeyPurpose::Receipts, 2), (KeyPurpose::Receipts, 0)] {
            assert_eq!(keys.lost(store, purpose).await.unwrap().len(), known);
            assert_eq!(keys.forget_lost(store, purpose, &reason, &recorder, now).await.unwrap().len(), known);
        }
        let told = "select count(*) from audit_events where action = 'keys_forgotten' and changes like '%SD-7%'";
        assert_eq!(app.number(told.to_owned()).await, 2);
        remember(&app).await.unwrap();
        // What is in use is not forgotten.
        for purpose in [KeyPurpose::Wallet, KeyPurpose::Receipts] {
            assert!(keys.forget_lost(store, purpose, &reason, &recorder, now).await.unwrap().is_empty());
        }
        assert_eq!(remembered().await, 2);
    }

    async fn a_token_of_one_kind_is_none_of_another(app: TestApp) {
        let olena = app.notary("olena").await;
        let realtime = olena.get("/cntr/tkn").await.ok()["token"].as_str().unwrap().to_owned();
        let call = olena.call(Method::GET, "/cart").header("authorization", &format!("Bearer {realtime}"));
        call.send().await.refused(401, "unauthorized");
    }
}
