//! The database of a history. It starts with the same accounts and reference data, and an older copy can be restored.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::chance::Bytes;
use crate::time::{CabinetClock, Time};
use crate::weather::STARTS;
use cabinet_app::Signer;
use cabinet_app::audit::Recorder;
use cabinet_domain::payment::StatementDay;
use cabinet_domain::{
    Actor, Device, DeviceId, Iban, LoginStep, NewNotary, NotaryId, Okpo, OperatorReason, Origin,
    PersonName, Phone, Profile, RegistryIdentifier, Session, SessionId, StandingBy,
};
use cabinet_storage::account::{devices, notaries, sessions};
use cabinet_storage::payment::{payment_proofs, statement_days};
use cabinet_storage::testing::{TestDatabase, execute};
use cabinet_storage::{DatabaseUrl, StorageError, Store, StoreOptions, Tx, lock_notary};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// The kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// SQLite: a file, in memory if the machine has a folder for that.
    Sqlite,
    /// PostgreSQL: the server that `CABINET_TEST_POSTGRES` names.
    Postgres,
}

/// The account of the notaries, which their profiles name, and of the recipients.
pub(crate) const ACCOUNT: &str = "UA223052990000026001234567890";

/// The notaries of every history.
pub(crate) const NOTARIES: usize = 3;

/// The codes of the account's owners.
pub(crate) const OWNERS: [&str; 2] = ["3068208400", "32855961"];

/// Returns who orders and pays.
pub(crate) fn signer(number: usize) -> Signer {
    let notary = notary(number);
    Signer {
        notary,
        session: SessionId::new(notary.uuid()),
    }
}

/// Returns the session of a notary, which never ends.
pub(crate) fn session(number: usize, then: Timestamp) -> Session {
    let signer = signer(number);
    Session {
        id: signer.session,
        notary_id: signer.notary,
        device_id: Some(device(number)),
        browser: None,
        network: None,
        created_at: then,
        last_used_at: LATER,
        expires_at: LATER,
        ended_at: None,
        end_reason: None,
    }
}

fn device(number: usize) -> DeviceId {
    DeviceId::new(notary(number).uuid())
}

/// Returns the phone of a notary.
pub(crate) fn phone(number: usize) -> Phone {
    Phone::parse(&format!("+38050111000{number}")).expect("a phone")
}

/// Returns the origin of what a notary does.
pub(crate) const fn origin_of(notary: NotaryId) -> Origin {
    Origin {
        actor: Actor::Notary(notary),
        network: None,
        browser: None,
    }
}

/// Returns the id of a notary.
pub(crate) fn notary(number: usize) -> NotaryId {
    let mut bytes = [1; 16];
    bytes[15] = u8::try_from(number).unwrap_or_default();
    NotaryId::new(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

/// The database, which histories use one after the other.
pub(crate) struct Database {
    home: Home,
}

enum Home {
    Sqlite(Folder),
    /// The start and the copy have their own schemas.
    Postgres(TestDatabase),
}

impl Database {
    /// Makes the database with which every history starts.
    pub(crate) async fn make(engine: Engine) -> Database {
        let home = match engine {
            Engine::Sqlite => Home::Sqlite(Folder::make()),
            Engine::Postgres => Home::Postgres(TestDatabase::postgres().await),
        };
        let database = Database { home };
        let store = match &database.home {
            Home::Sqlite(folder) => open(&DatabaseUrl::sqlite_file(&folder.file(START))).await,
            Home::Postgres(home) => open(home.url()).await,
        };
        fill(&store).await;
        if let Home::Postgres(_) = &database.home {
            save_tables(&store, START).await;
        }
        store.close().await;
        database
    }

    /// Makes PostgreSQL choose other plans for the same queries from now on. What a query does not order then comes in
    /// another order.
    pub(crate) async fn change_plans(&self) {
        let Home::Postgres(home) = &self.home else {
            return;
        };
        let store = open(home.url()).await;
        let change = "do $$ declare s text; begin
            foreach s in array array['seqscan', 'bitmapscan', 'hashjoin', 'hashagg'] loop
              execute format('alter database %I set enable_%s = off', current_database(), s);
            end loop;
          end $$";
        run(&store, change.to_owned()).await;
        store.close().await;
    }

    /// Resets it to the start of a history and opens it.
    pub(crate) async fn begin(&self) -> Store {
        match &self.home {
            Home::Sqlite(folder) => {
                folder.put(START);
                open(&DatabaseUrl::sqlite_file(&folder.file(NOW))).await
            }
            Home::Postgres(home) => {
                let store = open(home.url()).await;
                put_tables(&store, START).await;
                store
            }
        }
    }

    /// Makes a copy of it, which replaces the one before.
    pub(crate) async fn copy(&self, store: &Store) {
        match &self.home {
            Home::Sqlite(folder) => {
                folder.remove(COPY);
                let copied = store.backup(&folder.file(COPY)).await;
                copied.expect("the database can be copied");
            }
            Home::Postgres(_) => save_tables(store, COPY).await,
        }
    }

    /// Restores the copy.
    pub(crate) async fn put_back(&self, store: Store) -> Store {
        match &self.home {
            Home::Sqlite(folder) => {
                store.close().await;
                folder.put(COPY);
                open(&DatabaseUrl::sqlite_file(&folder.file(NOW))).await
            }
            Home::Postgres(_) => {
                put_tables(&store, COPY).await;
                store
            }
        }
    }
}

/// The names of the stored states.
const NOW: &str = "now";
const START: &str = "start";
const COPY: &str = "copy";

/// One connection, so that units of work run in the order in which they were started.
async fn open(url: &DatabaseUrl) -> Store {
    let options = StoreOptions {
        readers: 1,
        connections: 1,
        ..StoreOptions::default()
    };
    Store::open(url, options)
        .await
        .expect("the database can be opened")
}

/// Returns the recorder of the operator who fills the database. Its events are the same in every history.
fn recorder() -> Recorder {
    let time = Time::at(Timestamp::UNIX_EPOCH);
    Recorder::new(
        Arc::new(CabinetClock(time)),
        Arc::new(Bytes::new(0)),
        Origin::operator("simulation".to_owned()),
    )
}

async fn fill(store: &Store) {
    let then = Timestamp::UNIX_EPOCH;
    store.migrate(then).await.expect("the schema can be made");
    let reason = OperatorReason::parse("the tables of the simulation").expect("a reason");
    let loaded = cabinet_app::testing::operator(store.clone(), recorder())
        .administration()
        .load_reference(reference_files(), &reason, then)
        .await;
    assert!(
        loaded.is_ok(),
        "the starter reference data is without fault"
    );
    let accounts = move |tx: &mut Tx| -> Result<(), StorageError> {
        for number in 0..NOTARIES {
            let account = NewNotary {
                id: notary(number),
                phone: phone(number),
                full_name: PersonName::parse("Коваль Олена Іванівна").expect("a name"),
                registry_identifier: RegistryIdentifier::parse(&format!("NOTAR2000{number}"))
                    .expect("a registry identifier"),
                login_step: LoginStep::Otp,
                chooses_payment_method: true,
                agreed_terms_at: Some(then),
                phone_verified_at: Some(then),
                created_at: then,
                confirmation: Some(StandingBy::Setting),
            };
            notaries::insert(tx, &account)?;
            let mut profile = Profile::new(account.full_name, account.registry_identifier);
            profile.iban = Iban::parse(ACCOUNT).ok();
            let locked = lock_notary(tx, account.id)?;
            notaries::save_profile(tx, &locked, &profile, then)?;
            // Each has signed in by a code on a device that is known for long, and has proved before that she pays to these accounts.
            let device = Device {
                id: device(number),
                notary_id: account.id,
                token_hash: [u8::try_from(number).unwrap_or_default(); 32],
                browser: None,
                first_entered_at: then,
                last_entered_at: LATER,
            };
            devices::insert(tx, &device)?;
            sessions::insert(tx, &session(number, then))?;
            let iban = Iban::parse(ACCOUNT).expect("an account");
            for okpo in OWNERS {
                let okpo = Okpo::parse(okpo).expect("a code");
                payment_proofs::add_recipient(tx, &locked, (&iban, &okpo), then)?;
            }
        }
        for day in days_before() {
            statement_days::record(tx, &day)?;
        }
        Ok(())
    };
    let made = store.write(accounts).await;
    made.expect("accounts can be made");
}

/// Returns the days before the history as compared with the statement, because nothing happened on them.
fn days_before() -> impl Iterator<Item = StatementDay> {
    let last_days = STARTS.into_iter().map(|start| {
        let start: Timestamp = start.parse().expect("a moment in RFC 3339");
        start.to_zoned(TimeZone::UTC).date()
    });
    let days = last_days.flat_map(|first| (1..40).map(move |back| first - back.days()));
    days.map(|day| StatementDay {
        day,
        compared_at: LATER,
        compared_by: "nobody".to_owned(),
        agreeing: 0,
        made_good: 0,
        unknown: 0,
        different: 0,
        lacking: 0,
    })
}

/// A day after the end of every history.
const LATER: Timestamp = Timestamp::constant(4_102_444_800, 0);

/// Reads the committed reference data, by file name.
pub(crate) fn reference_files() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference-data");
    let files = std::fs::read_dir(folder).expect("the folder of the reference data");
    files
        .map(|file| file.expect("a file of the reference data").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("a text file");
            (name.into_owned(), text)
        })
        .collect()
}

/// The tables with rows of their own: no views, and no parts of a table besides the whole.
const TABLES: &str = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition";

/// Copies every table into another schema, replacing its content.
async fn save_tables(store: &Store, name: &'static str) {
    let save = format!(
        "do $$ declare t text; begin
           drop schema if exists kept_{name} cascade;
           create schema kept_{name};
           for t in {TABLES} loop
             execute format('create table kept_{name}.%I as table public.%I', t, t);
           end loop;
         end $$"
    );
    run(store, save).await;
}

/// Replaces the content of every table with that of another schema.
async fn put_tables(store: &Store, name: &'static str) {
    let put = format!(
        "do $$ declare t text; begin
           set local session_replication_role = replica;
           for t in {TABLES} loop
             execute format('delete from public.%I', t);
             execute format('insert into public.%I select * from kept_{name}.%I', t, t);
           end loop;
         end $$"
    );
    run(store, put).await;
}

async fn run(store: &Store, sql: String) {
    let done = store.write(move |tx: &mut Tx| execute(tx, &sql)).await;
    done.expect("tables can be copied");
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Folder {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!(
            "cabinet_simulation_{}_{number}",
            std::process::id()
        ));
        std::fs::create_dir(&folder).expect("a temporary folder can be made");
        Folder(folder)
    }

    fn file(&self, state: &str) -> PathBuf {
        self.0.join(format!("{state}.db"))
    }

    fn remove(&self, state: &str) {
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(self.0.join(format!("{state}.db{ending}")));
        }
    }

    /// Makes a stored state the present one.
    fn put(&self, state: &str) {
        self.remove(NOW);
        std::fs::copy(self.file(state), self.file(NOW)).expect("the database can be copied");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
