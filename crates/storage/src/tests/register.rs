//! The register of notaries and the standing of accounts.

use cabinet_domain::{
    AccountStanding, CertificateNumber, Line, NewNotary, NotaryId, RegisterRow, Standing,
    StandingBy,
};

use super::fixtures::{at, identifier, locked, name, new_notary, phone};
use crate::account::{notaries, register};
use crate::engine::migrations::run_again;
use crate::testing::execute;
use crate::{StorageError, Store, Tx, on_both_databases};

fn row(
    line: usize,
    full_name: &str,
    certificate: &str,
    identifier: &str,
    is_active: bool,
) -> RegisterRow {
    RegisterRow {
        line,
        full_name: Line::parse(full_name, 140).unwrap(),
        certificate_number: CertificateNumber::parse(certificate).ok(),
        registry_identifier: Line::parse(identifier, 40).ok(),
        is_active,
        practises_as: None,
        phone: None,
        email: None,
    }
}

async fn load(store: &Store, number: u8, rows: Vec<RegisterRow>) {
    store
        .write(move |tx| register::replace(tx, &rows, &[number; 32], at(i64::from(number))))
        .await
        .unwrap();
}

/// Makes an account that waits.
async fn waiting(store: &Store, number: u64, full_name: &str, registry: &str) -> NotaryId {
    let account = NewNotary {
        full_name: name(full_name),
        registry_identifier: identifier(registry),
        confirmation: None,
        ..new_notary(number)
    };
    let made = account.id;
    assert!(
        store
            .write(move |tx| notaries::insert(tx, &account))
            .await
            .unwrap()
    );
    made
}

async fn claims(store: &Store, notary: NotaryId) -> bool {
    let claim = move |tx: &mut Tx| -> Result<bool, StorageError> {
        let notary = notaries::by_id(tx, notary)?.unwrap();
        let row = register::naming_row(tx, &notary)?;
        row.map(|row| register::take(tx, notary.id, &row))
            .transpose()
            .map(|taken| taken.is_some())
    };
    store.write(claim).await.unwrap()
}

on_both_databases! {
    async fn a_row_is_claimed_by_one_account_with_its_name_and_number(store: Store) {
        load(&store, 1, vec![
            row(2, "КОВАЛЬ-ҐУДЗЬ Лук’яна  Iванівна", "0012", "REG_1", true),
            row(3, "Шевчук Ірина Петрівна", "13", "", false),
            row(4, "Бондар Іван", "", "REG_4", true),
        ]).await;
        for (number, full_name, registry, expected) in [
            // Another name, another number, an activity that has stopped, and nothing at all.
            (1, "Коваль-Ґудзь Марія Іванівна", "REG_1", false),
            (2, "Коваль-Ґудзь Лук'яна Іванівна", "REG_2", false),
            (3, "Шевчук Ірина Петрівна", "0013", false),
            (4, "Ніхто Ніхто", "REG_9", false),
            // Case, apostrophes, dashes, spaces and look-alikes don't matter, nor do leading zeros.
            (5, "коваль ґудзь лукʼяна іванівна", "reg_1", true),
            // Taken, by either of its numbers.
            (6, "Коваль-Ґудзь Лук'яна Іванівна", "REG_1", false),
            (7, "Коваль-Ґудзь Лук'яна Іванівна", "00012", false),
            (8, "Бондар Іван", "REG_4", true),
        ] {
            let account = waiting(&store, number, full_name, registry).await;
            assert_eq!(claims(&store, account).await, expected, "{full_name} {registry}");
            // Who has it may ask again.
            assert_eq!(claims(&store, account).await, expected, "{full_name} {registry}, again");
        }
    }

    async fn a_certificate_of_the_profile_counts_as_well(store: Store) {
        load(&store, 1, vec![row(2, "Бондар Іван", "77", "", true)]).await;
        let account = waiting(&store, 1, "Бондар Іван", "REG_9").await;
        assert!(!claims(&store, account).await);
        execute_on(&store, "update notaries set certificate_number = '077'").await;
        assert!(claims(&store, account).await);
    }

    async fn the_file_of_an_earlier_version_is_read_once_more_after_the_migration(store: Store) {
        load(&store, 7, vec![row(2, "Бондар Іван", "1", "", true)]).await;
        let migrated = store
            .write(|tx| {
                // As an earlier version left them.
                for column in ["notary_status", "notary_status_by", "notary_status_reason", "notary_status_since"] {
                    execute(tx, &format!("alter table notaries drop column {column}"))?;
                }
                execute(tx, "alter table register_rows drop column practises_as")?;
                run_again(tx, 20)
            })
            .await;
        assert_eq!(migrated, Ok(()));
        let last = store.read(register::last_load).await.unwrap().unwrap();
        assert_eq!((last.fingerprint, last.row_count), ([0; 32], 1), "the same file is new to it");
    }

    async fn the_last_load_is_known_and_replaces_the_one_before(store: Store) {
        assert_eq!(store.read(register::last_load).await.unwrap(), None);
        load(&store, 1, vec![row(2, "Бондар Іван", "1", "", true), row(3, "Бондар О'Ніл", "2", "", true)]).await;
        let found = store.read(|tx| register::find(tx, "бондар о’н", 10)).await.unwrap();
        assert_eq!(found.iter().map(|row| row.line).collect::<Vec<_>>(), [3]);
        assert!(store.read(|tx| register::find(tx, "100%_", 10)).await.unwrap().is_empty());
        let account = waiting(&store, 1, "Бондар Іван", "0001").await;
        assert!(claims(&store, account).await);
        confirm(&store, account).await;
        load(&store, 2, vec![row(2, "Бондар Іван", "1", "", false)]).await;
        let last = store.read(register::last_load).await.unwrap().unwrap();
        assert_eq!((last.fingerprint, last.row_count, last.loaded_at), ([2; 32], 1, at(2)));
        assert_eq!(store.read(register::confirmed_and_gone).await.unwrap(), [account]);
        load(&store, 3, vec![row(2, "Бондар Іван", "1", "", true)]).await;
        assert!(store.read(register::confirmed_and_gone).await.unwrap().is_empty());
    }

    async fn accounts_that_wait_are_listed_once_their_phone_is_verified(store: Store) {
        let first = waiting(&store, 1, "Бондар Іван", "REG_1").await;
        let second = waiting(&store, 2, "Бондар Іван", "REG_2").await;
        let unproven = NewNotary { phone_verified_at: None, confirmation: None, ..new_notary(3) };
        assert!(store.write(move |tx| notaries::insert(tx, &unproven)).await.unwrap());
        let listed = || async { store.read(notaries::waiting).await.unwrap().into_iter().map(|notary| notary.id).collect::<Vec<_>>() };
        assert_eq!(listed().await, [first, second]);
        confirm(&store, first).await;
        assert_eq!(listed().await, [second]);
        let standing = store.read(move |tx| notaries::by_phone(tx, &phone(1))).await.unwrap().unwrap().standing;
        assert_eq!(standing, confirmed());
    }
}

fn confirmed() -> Standing {
    Standing {
        account: AccountStanding::Confirmed,
        reason: Line::parse("Перевірено", 300).ok(),
        since: at(9),
        by: StandingBy::Operator,
        confirmed_at: Some(at(9)),
    }
}

async fn confirm(store: &Store, notary: NotaryId) {
    let confirm = locked(notary, |tx, notary| {
        notaries::set_standing(tx, notary, &confirmed())
    });
    store.write(confirm).await.unwrap();
}

async fn execute_on(store: &Store, sql: &str) {
    let sql = sql.to_owned();
    store.write(move |tx| execute(tx, &sql)).await.unwrap();
}
