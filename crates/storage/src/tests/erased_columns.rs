//! Each text in the database is erased with the person whom it may name, or kept for a reason: a new column belongs into one of these lists, and
//! into `docs/data-retention.md`.

use std::collections::BTreeSet;

use cabinet_domain::NotaryId;

use super::accounts::full_profile;
use super::fixtures::{at, locked, notary};
use crate::account::notaries;
use crate::engine::value::params;
use crate::operator::{erasure, personal_data};
use crate::testing::{TestDatabase, run_on_sqlite};
use crate::{StorageError, Store, Tx, lock_notary, on_both_databases};

/// What an erasure of the account or the client, of the order that names somebody, or the age of the row takes away.
const ERASED: &[(&str, &str)] = &[
    (
        "notaries",
        "phone full_name registry_identifier inn certificate_number phone_additional email notary_address card_pan iban okpo \
         exemption_date_finish login_step standing standing_reason register_key notary_status_reason requested_name",
    ),
    ("clients", "inn full_name search_key"),
    ("carts", "notary_id"),
    (
        "cart_items",
        "id notary_id client_id payment_kind payment_type_id option_id option_name_uk option_name_en term_id term_period_uk \
         term_period_en region_id region_name_uk region_name_en requisite_id requisite_name requisite_iban requisite_okpo template_id \
         iban okpo recipient_name purpose cbc_code",
    ),
    (
        "cart_acts",
        "client_id notary_id register_number act_on object",
    ),
    (
        "cart_additions",
        "notary_id key_hash request_fingerprint item_id",
    ),
    (
        "own_recipients",
        "id notary_id title recipient_name iban okpo cbc_code purpose",
    ),
    ("proved_recipients", "notary_id iban okpo"),
    (
        "orders",
        "client_id pan widget_url search_text act_register_number act_on act_object codes_paid_reference",
    ),
    (
        "order_items",
        "purpose search_text credited_reference iban okpo",
    ),
    (
        "transfers",
        "payer_code payer_name recipient_name recipient_iban recipient_code purpose reason release_reason refund_reason",
    ),
    ("refunds", "reason"),
    ("attempts", "masked_pan"),
    ("alarms", "note"),
    ("complaints", "id notary_id item_id text answer"),
    ("deal_payments", "reason"),
    ("acquirer_reports", "body signature"),
    ("client_links", "order_id token_hash"),
    ("receipt_consents", "order_id email locale given_by"),
    ("receipt_mail", "order_id refused_address"),
    ("devices", "id notary_id token_hash browser"),
    (
        "sessions",
        "id notary_id end_reason device_id browser network",
    ),
    ("refresh_tokens", "hash session_id predecessor"),
    (
        "notary_passkeys",
        "id notary_id label credential_id public_key",
    ),
    (
        "login_operations",
        "id notary_id phone purpose step code_hash address_hash transaction_id call_id budget network_hash session_id",
    ),
    ("removed_cards", "token_hash notary_id"),
    ("outbox", "payload last_error"),
    (
        "audit_events",
        "actor actor_id actor_name changes network browser",
    ),
    ("refused_entries", "address_hash network_hash"),
    ("unsent_codes", "notary_id address_hash"),
    (
        "register_rows",
        "register_key full_name folded_name certificate_number folded_identifier practises_as phone email",
    ),
];

/// What stays, and why.
const KEPT: &[(&str, &str, &str)] = &[
    (
        "notaries",
        "id standing_by notary_status notary_status_by",
        "orders refer to the row; words of the program",
    ),
    ("clients", "id notary_id", "orders refer to the row"),
    (
        "orders",
        "id notary_id status locale method idempotency_key request_fingerprint failure payment_state cancel_items",
        "bookkeeping: ids, words of the program, keyed hashes",
    ),
    (
        "order_items",
        "id order_id payment_kind payment_type_id option_id option_name_uk option_name_en term_id term_period_uk term_period_en \
         region_id region_name_uk region_name_en requisite_id requisite_name requisite_iban requisite_okpo template_id recipient_name \
         cbc_code credited_on",
        "bookkeeping: what was paid, from the reference tables",
    ),
    (
        "order_events",
        "id order_id kind from_status to_status detail",
        "bookkeeping: words of the program and the acquirer's codes",
    ),
    (
        "order_receipts",
        "order_id facts",
        "what receipts say of the provider and the reference tables",
    ),
    (
        "attempts",
        "id order_id reference kind state outcome invoice_id page_url acquirer_status payment_system approval_code rrn failure_code \
         last_error acquirer missing",
        "bookkeeping: the acquirer's ids and codes of a payment",
    ),
    ("card_refunds", "attempt_id", "bookkeeping"),
    (
        "refunds",
        "id order_id attempt_id scope transfer_id state code last_error missing",
        "bookkeeping: ids, words of the program, the acquirer's codes",
    ),
    (
        "transfers",
        "id order_id item_id role status value_date uetr bank_reference credited_on returned_on replaces refund_id booking_reference seal",
        "bookkeeping: days, the bank's references, and a keyed digest",
    ),
    (
        "bank_facts",
        "transfer_id kind day bank_reference booking_reference file",
        "bookkeeping: days and the bank's references",
    ),
    ("transfer_lists", "digest", "names nobody"),
    (
        "alarms",
        "id kind subject order_id detail",
        "ids, words of the program, sums",
    ),
    (
        "charges_outside_tables",
        "order_id notary_id",
        "ids; goes by its age",
    ),
    (
        "payment_proofs",
        "id notary_id session_id kind digest order_id",
        "ids and a digest; goes by its age",
    ),
    (
        "passkey_proofs",
        "id act passkey_id",
        "ids; goes by its age",
    ),
    (
        "register_proofs",
        "id register_key",
        "the row of the open register; goes by its age",
    ),
    ("used_tickets", "id", "random; goes by its age"),
    (
        "deals",
        "id notary_id kind_id kind_uk kind_en calculated_on notary_status",
        "of a deal without parties: the reference tables' words",
    ),
    (
        "deal_answers",
        "deal_id fact_id question_uk question_en answer_id answer_uk answer_en",
        "the reference tables' words",
    ),
    (
        "deal_payments",
        "deal_id line_id name_uk name_en payer ground_uk ground_en state base action recipient",
        "the reference tables' words; the payer is a side of the deal",
    ),
    ("deal_items", "item_id deal_id", "ids"),
    (
        "acquirer_reports",
        "id invoice_id verdict acquirer",
        "ids: a report is known again",
    ),
    (
        "acquirer_report_digests",
        "body_digest report_id",
        "a report is known again",
    ),
    (
        "audit_events",
        "id action notary_id order_id object_kind object_id hash",
        "ids; the chain of the trail",
    ),
    ("audit_starts", "hash", "the chain of the trail"),
    ("outbox", "id kind", "ids and words of the program"),
    ("register_loads", "fingerprint", "names nobody"),
    ("reference_files", "file content", "reference tables"),
    ("statement_days", "day compared_by", "names nobody"),
    ("key_ids", "purpose id", "the program's own"),
    ("leases", "name holder", "the program's own"),
    ("counters", "name", "the program's own"),
    (
        "schema_migrations",
        "name checksum applied_by",
        "the program's own",
    ),
];

/// What is erased and not told to a person who asks what is stored about them, and why.
const UNTOLD: &[(&str, &str, &str)] = &[
    (
        "notaries",
        "phone full_name registry_identifier inn certificate_number phone_additional email notary_address card_pan iban okpo \
         exemption_date_finish login_step standing standing_reason register_key notary_status_reason requested_name",
        "the notary's own; the name stands above what she has",
    ),
    ("clients", "search_key", "name and code once more"),
    ("carts", "notary_id", "the notary's own"),
    (
        "cart_items",
        "id notary_id client_id payment_type_id option_id option_name_en term_id term_period_en region_id region_name_en requisite_id \
         template_id",
        "ids, and the English names of what is told in Ukrainian",
    ),
    ("cart_acts", "client_id notary_id", "ids"),
    (
        "cart_additions",
        "notary_id key_hash request_fingerprint item_id",
        "ids and digests",
    ),
    ("own_recipients", "id notary_id", "ids"),
    (
        "proved_recipients",
        "notary_id iban okpo",
        "the notary's own",
    ),
    (
        "orders",
        "client_id pan widget_url search_text",
        "an id, the card of whoever paid, a key of the acquirer's page, what is told once more",
    ),
    ("order_items", "search_text", "what is told once more"),
    ("attempts", "masked_pan", "the card of whoever paid"),
    ("complaints", "id notary_id item_id", "ids"),
    (
        "acquirer_reports",
        "body signature",
        "tokens of cards; what they tell of a payment is told with the order",
    ),
    ("client_links", "order_id token_hash", "an id and a digest"),
    (
        "receipt_consents",
        "order_id locale",
        "an id and the language of the page",
    ),
    (
        "receipt_mail",
        "order_id refused_address",
        "an id and a digest",
    ),
    (
        "devices",
        "id notary_id token_hash browser",
        "the notary's own",
    ),
    (
        "sessions",
        "id notary_id end_reason device_id browser network",
        "the notary's own",
    ),
    (
        "refresh_tokens",
        "hash session_id predecessor",
        "the notary's own",
    ),
    (
        "notary_passkeys",
        "id notary_id label credential_id public_key",
        "the notary's own",
    ),
    (
        "login_operations",
        "id notary_id phone purpose step code_hash address_hash transaction_id call_id budget network_hash session_id",
        "the notary's own",
    ),
    ("removed_cards", "token_hash notary_id", "the notary's own"),
    (
        "outbox",
        "payload last_error",
        "may have the key of a link; that a letter waits is told",
    ),
    (
        "audit_events",
        "actor actor_id actor_name changes network browser",
        "who did what; values are masked",
    ),
    ("refused_entries", "address_hash network_hash", "digests"),
    (
        "unsent_codes",
        "notary_id address_hash",
        "an id and a digest",
    ),
    (
        "register_rows",
        "register_key full_name folded_name certificate_number folded_identifier practises_as phone email",
        "the open register of notaries",
    ),
];

fn columns<'a>(lists: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    lists
        .flat_map(|(table, columns)| {
            columns
                .split_whitespace()
                .map(move |column| format!("{table}.{column}"))
        })
        .collect()
}

#[test]
fn each_text_of_the_database_is_erased_or_kept_for_a_reason() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let store = database.store().await;
        let there: BTreeSet<String> = store
            .read(|tx| {
                let sql = "select m.name || '.' || c.name from sqlite_schema m join pragma_table_info(m.name) c
                           where m.type = 'table' and m.name not like 'sqlite%' and lower(c.type) in ('text', 'blob', '')";
                tx.rows(sql, &[], |row| row.next::<String>())
            })
            .await
            .unwrap()
            .into_iter()
            .collect();
        let kept = KEPT.iter().map(|(table, columns, _)| (*table, *columns));
        let listed = columns(ERASED.iter().copied().chain(kept));
        let once: BTreeSet<String> = listed.iter().cloned().collect();
        assert_eq!(once.len(), listed.len(), "a column stands in both lists");
        let unlisted: Vec<_> = there.difference(&once).collect();
        let gone: Vec<_> = once.difference(&there).collect();
        assert!(
            unlisted.is_empty() && gone.is_empty(),
            "new: {unlisted:?}; gone: {gone:?}"
        );
    });
}

#[test]
fn what_is_erased_is_told_to_who_asks_or_kept_back_for_a_reason() {
    let erased: BTreeSet<String> = columns(ERASED.iter().copied()).into_iter().collect();
    let untold = columns(UNTOLD.iter().map(|(table, columns, _)| (*table, *columns)));
    let untold: BTreeSet<String> = untold.into_iter().collect();
    let told =
        personal_data::parts().flat_map(|part| part.fields().map(|column| (part.table, column)));
    let told: BTreeSet<String> = columns(told).into_iter().collect();
    let both: Vec<_> = told.intersection(&untold).collect();
    let neither: Vec<_> = erased
        .iter()
        .filter(|column| !told.contains(*column) && !untold.contains(*column))
        .collect();
    let gone: Vec<_> = untold.difference(&erased).collect();
    assert!(
        both.is_empty() && neither.is_empty() && gone.is_empty(),
        "in both: {both:?}; in neither: {neither:?}; gone: {gone:?}"
    );
}

/// The columns of an account's row that are erased, with what they hold.
async fn account(store: &Store, id: NotaryId) -> Vec<(&'static str, String)> {
    let (_, names) = ERASED[0];
    let read = move |tx: &mut Tx| -> Result<Vec<(&'static str, String)>, StorageError> {
        names
            .split_whitespace()
            .map(|name| {
                let sql = format!(
                    "select coalesce(cast({name} as text), '') from notaries where id = ?1"
                );
                let value = tx.row(&sql, params![id], |row| row.next::<String>())?;
                Ok((name, value))
            })
            .collect()
    };
    store.read(read).await.unwrap()
}

on_both_databases! {
    async fn an_erased_account_keeps_nothing_of_its_profile(store: Store) {
        let olena = notary(&store, 1).await;
        store
            .write(move |tx| {
                let notary = lock_notary(tx, olena)?;
                notaries::save_profile(tx, &notary, &full_profile(), at(5))?;
                let rest = "update notaries set login_step = 'phone_call', standing_reason = 'because', register_key = 'REG_1',
                                notary_status_reason = 'because', requested_name = 'Інша Олена' where id = ?1";
                tx.execute(rest, params![olena])
            })
            .await
            .unwrap();
        let before = account(&store, olena).await;
        assert!(before.iter().all(|(_, value)| !value.is_empty()), "{before:?}");
        store.write(locked(olena, move |tx, notary| erasure::erase_notary(tx, notary, at(9)))).await.unwrap();
        for ((name, before), (_, after)) in before.iter().zip(account(&store, olena).await) {
            assert_ne!(*before, after, "{name}");
        }
    }
}
