//! What a SQLite database keeps of rows that were deleted: nothing, in none of its files.

use std::path::Path;

use super::fixtures::{client, notary};
use crate::testing::{TestDatabase, execute, run_on_sqlite};
use crate::{Result, Tx};

const NAME: &str = "Потаємний Клим Орестович";
const CODE: &str = "2817364509";

/// Returns whether a text is in a file of the folder, as bytes.
fn is_in_files(folder: &Path, needle: &str) -> bool {
    let mut files = std::fs::read_dir(folder).unwrap();
    files.any(|file| {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        bytes
            .windows(needle.len())
            .any(|window| window == needle.as_bytes())
    })
}

#[test]
fn nothing_of_a_deleted_row_is_left_in_the_files() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let folder = database.folder().unwrap();
        let store = database.store().await;
        let olena = notary(&store, 1).await;
        client(&store, olena, 31, "Українка Леся", "АБ123456").await;
        client(&store, olena, 32, NAME, CODE).await;
        // Once more in the file itself, not in the journal alone.
        assert_eq!(store.truncate_journal().await, Ok(true));
        assert!(is_in_files(folder, NAME) && is_in_files(folder, CODE));

        let delete = |tx: &mut Tx| -> Result<u64> {
            execute(tx, &format!("delete from clients where inn = '{CODE}'"))
        };
        assert_eq!(store.write(delete).await, Ok(1));
        // The file still has the old page until the journal is copied into it.
        assert_eq!(store.truncate_journal().await, Ok(true));
        for text in [NAME, CODE] {
            assert!(!is_in_files(folder, text), "{text} is left in the files");
        }
        assert!(is_in_files(folder, "АБ123456"));
    });
}

#[test]
fn a_journal_that_somebody_reads_is_not_emptied_and_that_is_told() {
    run_on_sqlite(|_| async {
        let database = TestDatabase::sqlite().await;
        let path = database.folder().unwrap().join("cabinet.db");
        let reader = rusqlite::Connection::open(&path).unwrap();
        reader
            .execute_batch("begin; select count(*) from notaries;")
            .unwrap();
        let options = crate::StoreOptions {
            lock_timeout: std::time::Duration::from_millis(50),
            ..crate::StoreOptions::existing()
        };
        let store = crate::Store::open(database.url(), options).await.unwrap();
        notary(&store, 1).await;
        assert_eq!(store.truncate_journal().await, Ok(false));
        reader.execute_batch("commit").unwrap();
        assert_eq!(store.truncate_journal().await, Ok(true));
    });
}
