//! Accounts of the people of the tests.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use cabinet_domain::{Clock as _, NewNotary, PersonName, Phone, RegistryIdentifier};
use cabinet_storage::notaries;

use crate::people::{Account, profile_of};
use crate::{LoginStep, Person, TestApp};

impl TestApp {
    /// Returns a person who is not signed in.
    pub fn anonymous(&self) -> Person {
        Person::stranger(Arc::clone(&self.installation))
    }

    /// Creates the account of a person of the tests, with a verified phone and login by code, unless it exists.
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
        self.anonymous().with_account(account)
    }

    /// Returns a notary who has signed in by the code from the inbox.
    pub async fn notary(&self, name: &str) -> Person {
        let person = self.account(name).await;
        person.log_in().await;
        person
    }

    async fn create_account(&self, name: &str, change: impl FnOnce(&mut NewNotary)) -> Account {
        let profile = profile_of(name);
        let now = self.installation.clock.now();
        let mut notary = NewNotary {
            id: self.installation.new_id(),
            phone: Phone::parse(profile.phone).expect("a phone"),
            full_name: PersonName::parse(profile.full_name).expect("a name"),
            registry_identifier: RegistryIdentifier::parse(profile.registry_identifier)
                .expect("a registry identifier"),
            login_step: LoginStep::Otp,
            chooses_payment_method: true,
            agreed_terms_at: Some(now),
            phone_verified_at: Some(now),
            created_at: now,
        };
        change(&mut notary);
        let account = Account {
            id: notary.id,
            phone: profile.phone,
        };
        let made = self
            .services()
            .store
            .write(move |tx| notaries::insert(tx, &notary))
            .await;
        assert!(made.expect("an account can be made"), "a phone of its own");
        self.accounts().insert(profile.name, account);
        account
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<&'static str, Account>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
