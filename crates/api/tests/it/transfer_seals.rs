//! Who can write to the database, and what becomes of the money: the seals of transfers.

use cabinet_app::transfer::{
    ExportError, Exported, Format, ImportError, OfPayment, SealError, UnsealedTransfer,
};
use cabinet_bank_files::Encoding;
use cabinet_domain::{OperatorReason, TransferStatus};
use cabinet_test_kit::{PaymentKind, Person, TestApp, on_both_databases};
use jiff::SignedDuration;
use serde_json::Value;

use crate::returns::{requisites, resend_path, returned, sent_order, transfers};
use crate::transfers::{ids, import, list, paid_order, payer};

/// The account of a thief.
const THIEF: &str = "UA643223130000026007233566003";
const SECOND: &str = "the second secret of this installation";

async fn export(app: &TestApp) -> Result<Exported, ExportError> {
    let (services, payer) = (app.services(), payer());
    let format = Format::Csv(Encoding::Utf8);
    let transfers = services.transfers.clone();
    transfers.export(format, &payer, services.now()).await
}

/// The documents that a refused export names.
async fn refused(app: &TestApp) -> Vec<i64> {
    match export(app).await {
        Err(error @ ExportError::Unsealed(_)) => {
            let said = error.to_string();
            let ExportError::Unsealed(mut documents) = error else {
                unreachable!()
            };
            assert!(
                documents.iter().all(|one| said.contains(&one.to_string()))
                    && said.contains("cabinet transfers seal --document"),
                "{said}"
            );
            documents.sort_unstable();
            documents
        }
        other => panic!("{other:?}"),
    }
}

/// What `cabinet doctor` names.
async fn told_by_doctor(app: &TestApp) -> Vec<i64> {
    let unsealed = app.services().transfers.unsealed().await.unwrap();
    unsealed.iter().map(|one| one.document_number).collect()
}

async fn alarms(app: &TestApp) -> i64 {
    let open = "select count(*) from alarms where kind = 'transfer_seal_broken' and closed_at is null and order_id is not null";
    app.number(open.to_owned()).await
}

async fn recorded(app: &TestApp, action: &str) -> i64 {
    let sql = format!("select count(*) from audit_events where action = '{action}'");
    app.number(sql).await
}

/// What the operator is shown of these.
async fn shown(app: &TestApp, documents: &[i64]) -> Vec<UnsealedTransfer> {
    let mut shown = app.services().transfers.unsealed().await.unwrap();
    shown.retain(|one| documents.contains(&one.document_number));
    shown
}

/// Seals what is shown of these.
async fn seal(app: &TestApp, documents: &[i64]) -> Result<usize, SealError> {
    let shown = shown(app, documents).await;
    seal_shown(app, &shown).await
}

async fn seal_shown(app: &TestApp, shown: &[UnsealedTransfer]) -> Result<usize, SealError> {
    let services = app.services();
    let reason = OperatorReason::parse("Звірено з квитанцією").unwrap();
    let transfers = services.transfers.clone();
    transfers.seal(shown, &reason, services.now()).await
}

fn documents(parts: &[Value]) -> Vec<i64> {
    let mut all: Vec<i64> = parts
        .iter()
        .map(|part| part["document_number"].as_i64().unwrap())
        .collect();
    all.sort_unstable();
    all
}

async fn two_orders(olena: &Person) -> (Value, Value) {
    (paid_order(olena).await, paid_order(olena).await)
}

on_both_databases! {
    async fn a_transfer_that_was_redirected_in_the_database_is_not_sent(app: TestApp) {
        let olena = app.notary("olena").await;
        let (first, second) = two_orders(&olena).await;
        let before = list(&app).await;
        let changed = documents(&transfers(&olena, &first).await);
        // One statement, with the payment beside, so that they agree.
        let named: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let of = format!("document_number in ({})", named.join(", "));
        app.execute(format!("update transfers set recipient_iban = '{THIEF}' where {of}")).await;
        let thiefs = |column: &str| format!("{column} = case when {column} is null then null else '{THIEF}' end");
        app.execute(format!("update order_items set {}, {} where id in (select item_id from transfers where {of})", thiefs("iban"), thiefs("requisite_iban"))).await;
        assert_eq!(told_by_doctor(&app).await, changed);
        assert_eq!((refused(&app).await, alarms(&app).await), (changed.clone(), 1));
        // The list from before is what was planned; nothing of it is marked.
        match import(&app, &before, Some(TransferStatus::Sent)).await {
            Err(ImportError::Rows(rows)) => assert!(rows.iter().filter(|row| row.to_string().contains("the seal of document")).count() >= 3, "{rows:?}"),
            other => panic!("{other:?}"),
        }
        // The rest is sent while a person looks.
        let rest = export(&app).await.unwrap();
        let listed = String::from_utf8(rest.file).unwrap();
        assert!(rest.transfers == 3 && !listed.contains(THIEF), "{listed}");
        assert_eq!(documents(&transfers(&olena, &second).await).len(), 3);
        // Who closes the alarm without a look is told again.
        app.execute("update alarms set closed_at = first_at, note = 'Так'".to_owned()).await;
        assert_eq!((refused(&app).await, alarms(&app).await), (changed, 1));
        app.skip_final_check();
    }

    async fn a_seal_covers_everything_that_a_bank_is_told(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let first = documents(&transfers(&olena, &order).await)[0];
        assert_eq!(told_by_doctor(&app).await, [0; 0]);
        for (column, changed) in [
            ("recipient_name", "'ТОВ Злодій'"), ("recipient_iban", "'UA643223130000026007233566003'"), ("recipient_code", "'32855961'"),
            ("purpose", "'За каву'"), ("amount", "amount + 1"), ("payer_code", "'3184710691'"), ("payer_name", "'Хтось Інший'"), ("seal", "null"),
        ] {
            app.execute(format!("update transfers set {column} = {changed} where document_number = {first}")).await;
            assert_eq!(told_by_doctor(&app).await, [first], "{column}");
            assert_eq!(seal(&app, &[first]).await.unwrap(), 1);
            assert_eq!(told_by_doctor(&app).await, [0; 0], "{column}");
        }
        app.execute(format!("update order_items set cbc_code = '22090200' where id = (select item_id from transfers where document_number = {first})")).await;
        assert!(told_by_doctor(&app).await.contains(&first), "the budget code");
        app.skip_final_check();
    }

    async fn what_was_changed_is_put_back_after_a_look(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let before = list(&app).await;
        let parts = documents(&transfers(&olena, &order).await);
        app.execute(format!("update transfers set recipient_iban = '{THIEF}', recipient_code = '32855961' where document_number = {}", parts[0])).await;
        app.execute(format!("update transfers set seal = null where document_number = {}", parts[1])).await;
        assert_eq!(refused(&app).await, parts[..2]);
        let unsealed = app.services().transfers.unsealed().await.unwrap();
        assert!(matches!(&unsealed[0].of_payment, OfPayment::Other(said) if said.0.iban.as_str() != THIEF), "{unsealed:?}");
        assert_eq!(unsealed[1].of_payment, OfPayment::Same);
        assert_eq!((seal(&app, &parts[..1]).await.unwrap(), alarms(&app).await), (1, 1), "another is left");
        assert_eq!((seal(&app, &parts).await.unwrap(), alarms(&app).await), (1, 0));
        assert_eq!(recorded(&app, "transfer_sealed").await, 2);
        let traced = "select count(*) from audit_events where action = 'transfer_sealed' and changes like '%Звірено з квитанцією%' and changes like '%iban%'";
        assert_eq!(app.number(traced.to_owned()).await, 1, "what was put back");
        assert_eq!(list(&app).await, before);
        // What a bank was given meanwhile is not put back.
        let OfPayment::Other(of_payment) = &unsealed[0].of_payment else { unreachable!() };
        let send_to = async |iban: &str| app.execute(format!("update transfers set recipient_iban = '{iban}' where document_number = {}", parts[0])).await;
        send_to(THIEF).await;
        let shown = shown(&app, &parts[..1]).await;
        send_to(of_payment.0.iban.as_str()).await;
        import(&app, &before, Some(TransferStatus::Sent)).await.unwrap();
        send_to(THIEF).await;
        assert!(matches!(seal_shown(&app, &shown).await, Err(SealError::Given(_))));
        app.skip_final_check();
    }

    async fn what_has_changed_since_it_was_shown_is_not_sealed(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let first = documents(&transfers(&olena, &order).await)[0];
        app.execute(format!("update transfers set seal = null where document_number = {first}")).await;
        for changed in ["recipient_iban = 'UA643223130000026007233566003'", "amount = amount + 1", "payer_name = 'Хтось Інший'"] {
            let shown = shown(&app, &[first]).await;
            app.execute(format!("update transfers set {changed} where document_number = {first}")).await;
            assert!(matches!(seal_shown(&app, &shown).await, Err(SealError::Changed(document)) if document == first), "{changed}");
            assert_eq!(told_by_doctor(&app).await, [first]);
        }
        assert_eq!((seal(&app, &[first]).await.unwrap(), told_by_doctor(&app).await), (1, vec![]));
        app.skip_final_check();
    }

    async fn the_first_start_seals_what_agrees_and_holds_the_rest(app: TestApp) {
        let olena = app.notary("olena").await;
        let (first, _) = two_orders(&olena).await;
        let parts = documents(&transfers(&olena, &first).await);
        // As the version before leaves it.
        app.execute("update transfers set seal = null".to_owned()).await;
        app.execute("delete from key_ids where purpose = 'transfers'".to_owned()).await;
        app.execute(format!("update transfers set recipient_iban = '{THIEF}' where document_number = {}", parts[0])).await;
        match export(&app).await {
            Err(ExportError::NotSealed) => assert_eq!(alarms(&app).await, 0, "nobody is called before the first start"),
            other => panic!("{other:?}"),
        }
        app.restart().await;
        assert_eq!(told_by_doctor(&app).await, parts[..1]);
        let rest = export(&app).await.unwrap();
        assert_eq!((rest.transfers, app.services().transfers.held().await.unwrap().len()), (5, 1));
        let counted = "select count(*) from audit_events where action = 'transfers_sealed' and changes like '%5%' and changes like '%held%'";
        assert_eq!((app.number(counted.to_owned()).await, recorded(&app, "transfer_held").await), (1, 1));
        // Once: another start takes no transfer for one of the version before.
        app.execute("update transfers set seal = null".to_owned()).await;
        app.restart().await;
        assert_eq!((told_by_doctor(&app).await.len(), recorded(&app, "transfers_sealed").await), (6, 1));
        app.skip_final_check();
    }

    async fn a_damaged_payment_keeps_no_other_transfer_from_being_sealed(app: TestApp) {
        let olena = app.notary("olena").await;
        let (first, second) = two_orders(&olena).await;
        let (damaged, others) = (documents(&transfers(&olena, &first).await), documents(&transfers(&olena, &second).await));
        app.execute("update transfers set seal = null".to_owned()).await;
        app.execute("delete from key_ids where purpose = 'transfers'".to_owned()).await;
        app.execute(format!("update order_items set iban = 'damaged', requisite_iban = 'damaged' where id = (select item_id from transfers where document_number = {})", damaged[0])).await;
        app.restart().await;
        assert_eq!(recorded(&app, "transfers_sealed").await, 1);
        let told = told_by_doctor(&app).await;
        assert!(told.contains(&damaged[0]) && others.iter().all(|one| !told.contains(one)), "{told:?}");
        app.skip_final_check();
    }

    async fn a_secret_that_no_cabinet_has_started_with_says_nothing_of_transfers(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let parts = documents(&transfers(&olena, &order).await);
        // As where the command has another secret than the server.
        app.execute("update transfers set seal = null".to_owned()).await;
        app.execute("update key_ids set id = '0123456789abcdef' where purpose = 'transfers'".to_owned()).await;
        assert!(matches!(export(&app).await, Err(ExportError::OtherSecret)));
        assert!(matches!(seal(&app, &parts).await, Err(SealError::OtherSecret)));
        assert_eq!((alarms(&app).await, told_by_doctor(&app).await.len()), (0, 3));
        app.skip_final_check();
    }

    async fn a_rotation_seals_anew_and_without_the_secret_before_a_person_looks(app: TestApp) {
        let olena = app.notary("olena").await;
        let order = paid_order(&olena).await;
        let parts = documents(&transfers(&olena, &order).await);
        let sum = "select count(distinct seal) from transfers";
        assert_eq!(app.number(sum.to_owned()).await, 3);
        app.restart_with(|settings| {
            settings.previous_secret = Some(settings.secret);
            settings.secret = SECOND;
        }).await;
        assert_eq!(told_by_doctor(&app).await, [0; 0]);
        // The day after, the secret before is left out.
        app.restart_with(|settings| settings.previous_secret = None).await;
        assert_eq!((told_by_doctor(&app).await.len(), ids(&list(&app).await).len()), (0, 3));
        // It leaked: it was left out at once.
        app.restart_with(|settings| settings.secret = "the third secret of this installation").await;
        assert_eq!((told_by_doctor(&app).await, refused(&app).await), (parts.clone(), parts.clone()));
        assert_eq!((seal(&app, &parts).await.unwrap(), alarms(&app).await), (3, 0));
        assert_eq!(ids(&list(&app).await).len(), 3);
        app.finish_and_check().await;
    }

    async fn a_part_that_came_back_long_ago_is_sealed_anew_at_a_rotation(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        returned(&app, &olena, &order, "notary").await;
        // Longer than a transfer is looked at after its last change.
        app.clock().advance(SignedDuration::from_hours(40 * 24));
        app.restart_with(|settings| {
            settings.previous_secret = Some(settings.secret);
            settings.secret = SECOND;
        }).await;
        app.restart_with(|settings| settings.previous_secret = None).await;
        assert_eq!(told_by_doctor(&app).await, [0; 0]);
        // The bank has told nothing of the other parts for weeks.
        app.skip_final_check();
    }

    async fn a_returned_part_that_was_changed_in_the_database_is_not_sent_again(app: TestApp) {
        let olena = app.notary("olena").await;
        let (order, _) = sent_order(&app, &olena).await;
        let own = returned(&app, &olena, &order, "notary").await;
        let fee = returned(&app, &olena, &order, "recipient").await;
        assert_eq!(told_by_doctor(&app).await, [0; 0]);
        // To «the same» account, which needs no proof.
        app.execute(format!("update transfers set recipient_iban = '{THIEF}' where role = 'notary'")).await;
        assert_eq!(told_by_doctor(&app).await, [own["document_number"].as_i64().unwrap()]);
        let changed = transfers(&olena, &order).await.into_iter().find(|part| part["role"] == "notary").unwrap();
        olena.post(&resend_path(&changed), requisites(&changed)).await.ok();
        assert_eq!(alarms(&app).await, 1);
        assert_eq!(ids(&list(&app).await), [""; 0], "nothing of the order is sent while the alarm is open");
        // Another part of the order is sealed as ever.
        olena.post(&resend_path(&fee), requisites(&fee)).await.ok();
        let unsealed = app.services().transfers.unsealed().await.unwrap();
        assert!(unsealed.len() == 1 && unsealed[0].of_payment == OfPayment::SentAgain, "{unsealed:?}");
        app.skip_final_check();
    }

    async fn what_is_paid_is_planned_with_a_seal(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RequisitesPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        assert_eq!(app.number("select count(*) from transfers where seal is null".to_owned()).await, 0);
        assert_eq!(ids(&list(&app).await).len(), 1);
        app.finish_and_check().await;
    }
}
