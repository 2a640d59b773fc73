//! Accounts of the people of the tests.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, MutexGuard, PoisonError};

use cabinet_domain::{
    Clock as _, Device, DeviceId, Iban, NewNotary, NotaryId, NotaryStatus, NotaryStatusBy, Okpo,
    PersonName, Phone, Practice, RegistryIdentifier, StandingBy,
};
use cabinet_storage::account::{devices, notaries};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx, lock_notary};
use jiff::{SignedDuration, Timestamp};

use crate::payments::{ACCOUNT, OWNERS};
use crate::people::{Account, Profile, profile_of};
use crate::{LoginStep, PaymentKind, Person, TestApp};

/// The people of the tests have had their accounts for so long, so that they are not limited as new ones.
const SETTLED_FOR: SignedDuration = SignedDuration::from_hours(24 * 400);

impl Person {
    /// Gives the notary the status that a kind of payment is for, without a message to her. Kinds for everybody leave it.
    pub async fn practise_for(&self, kind: PaymentKind) {
        let status = match kind {
            PaymentKind::AdminPayment => NotaryStatus::Private,
            PaymentKind::AdminGovernmentPayment => NotaryStatus::State,
            PaymentKind::RegistryPayment | PaymentKind::RequisitesPayment => return,
        };
        let notary = self.id();
        let practice = Practice {
            status,
            by: NotaryStatusBy::Register,
            reason: None,
            since: Timestamp::UNIX_EPOCH,
        };
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            if notaries::status_of(tx, notary)?.is_some_and(|known| known.counts_as == status) {
                return Ok(());
            }
            let notary = lock_notary(tx, notary)?;
            notaries::set_practice(tx, &notary, &practice)
        };
        let stored = self.installation.services().store.write(write).await;
        stored.expect("a status can be stored");
    }
}

impl TestApp {
    /// Returns a person who is not signed in.
    pub fn anonymous(&self) -> Person {
        Person::stranger(Arc::clone(&self.installation))
    }

    /// Returns a person who is not signed in, at an address.
    pub fn anonymous_at(&self, address: IpAddr) -> Person {
        Person::at(Arc::clone(&self.installation), address)
    }

    /// Creates so many accounts, each with a device that has signed the notary in before. Returns the phones; the cookie of a device is
    /// [`device_token`] of its phone.
    pub async fn crowd(&self, count: u32) -> Vec<String> {
        let now = self.installation.clock.now();
        let phones: Vec<String> = (0..count)
            .map(|number| format!("+38067{number:07}"))
            .collect();
        let people: Vec<(NewNotary, Device)> = phones
            .iter()
            .map(|phone| {
                let notary = NewNotary {
                    id: self.installation.new_id(),
                    phone: Phone::parse(phone).expect("a phone"),
                    ..new_notary(profile_of("olena"), self.installation.new_id(), now)
                };
                let device = self.device_of(&notary, phone, now);
                (notary, device)
            })
            .collect();
        let write = move |tx: &mut Tx| {
            for (notary, device) in &people {
                notaries::insert(tx, notary)?;
                devices::insert(tx, device)?;
            }
            Ok::<_, StorageError>(())
        };
        let made = self.services().store.write(write).await;
        made.expect("accounts can be made");
        phones
    }

    /// Creates the account of a person of the tests, with a verified phone and login by code, unless it exists. The person's browser
    /// has signed in before; [`Person::elsewhere`] is one that has not.
    pub async fn account(&self, name: &str) -> Person {
        self.account_with(name, |_| ()).await
    }

    /// Creates the account with a change.
    pub async fn account_with(&self, name: &str, change: impl FnOnce(&mut NewNotary)) -> Person {
        let existing = self.accounts().get(name).copied();
        let account = match existing {
            Some(account) => account,
            None => self.create_account(name, change).await,
        };
        let person = self.anonymous().with_account(account);
        person.hold_device(&device_token(name));
        person
    }

    /// Returns a notary who has signed in by the code from the inbox.
    pub async fn notary(&self, name: &str) -> Person {
        let person = self.account(name).await;
        person.log_in().await;
        person
    }

    /// Signs a notary of the tests in who is in the database already, as an earlier program has stored her. Her browser is a new one.
    pub async fn notary_of_before(&self, name: &str) -> Person {
        let profile = profile_of(name);
        let phone = Phone::parse(profile.phone).expect("a phone");
        let read = move |tx: &mut Tx| notaries::by_phone(tx, &phone);
        let known = self.services().store.read(read).await;
        let known = known.expect("the notaries can be read");
        let account = Account {
            id: known.expect("the database knows the notary").id,
            phone: profile.phone,
        };
        self.accounts().insert(profile.name, account);
        let person = self.anonymous().with_account(account);
        person.log_in().await;
        person
    }

    async fn create_account(&self, name: &str, change: impl FnOnce(&mut NewNotary)) -> Account {
        let profile = profile_of(name);
        let now = self.installation.clock.now();
        let mut notary = new_notary(profile, self.installation.new_id(), now);
        change(&mut notary);
        let account = Account {
            id: notary.id,
            phone: profile.phone,
        };
        let device = self.device_of(&notary, name, now);
        let made = self
            .services()
            .store
            .write(move |tx| {
                let made = notaries::insert(tx, &notary)?;
                devices::insert(tx, &device)?;
                let locked = lock_notary(tx, notary.id)?;
                // She has proved before that she pays to the accounts of the forms.
                let iban = Iban::parse(ACCOUNT).expect("an account");
                for okpo in OWNERS {
                    let okpo = Okpo::parse(okpo).expect("a code");
                    payment_proofs::add_recipient(tx, &locked, (&iban, &okpo), now)?;
                }
                Ok::<_, StorageError>(made)
            })
            .await;
        assert!(made.expect("an account can be made"), "a phone of its own");
        self.accounts().insert(profile.name, account);
        account
    }

    fn device_of(&self, notary: &NewNotary, name: &str, now: Timestamp) -> Device {
        Device {
            id: DeviceId::new(self.installation.new_id().uuid()),
            notary_id: notary.id,
            token_hash: *blake3::hash(device_token(name).as_bytes()).as_bytes(),
            browser: None,
            first_entered_at: now,
            last_entered_at: now,
        }
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<&'static str, Account>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn new_notary(profile: &Profile, id: NotaryId, now: Timestamp) -> NewNotary {
    NewNotary {
        id,
        phone: Phone::parse(profile.phone).expect("a phone"),
        full_name: PersonName::parse(profile.full_name).expect("a name"),
        registry_identifier: RegistryIdentifier::parse(profile.registry_identifier)
            .expect("a registry identifier"),
        login_step: LoginStep::Otp,
        chooses_payment_method: true,
        agreed_terms_at: Some(now),
        phone_verified_at: Some(now),
        created_at: now - SETTLED_FOR,
        confirmation: Some(StandingBy::Setting),
    }
}

/// Returns the device cookie of a person's usual browser, by the name of the test or the phone.
pub fn device_token(name: &str) -> String {
    format!("usual-device-of-{name}")
}
