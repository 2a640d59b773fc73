//! Notaries, login operations, sessions, clients.

use cabinet_domain::{
    AccountStanding, Browser, CertificateNumber, CodeBudget, Device, DeviceId, Email, EndReason,
    Iban, Line, LoginPurpose, LoginStep, Network, NewLoginOperation, NewNotary, Notary, NotaryId,
    NotaryStatus, NotaryStatusBy, Okpo, OperationId, Phone, Practice, Profile, Session, SessionId,
    Standing, StandingBy, TransactionId, TruncatedPan,
};
use jiff::civil::date;

use super::fixtures::{
    at, at_once, client, id, identifier, inn, locked, name, new_notary, notary, phone,
    session_until,
};
use crate::account::login_operations::Source;
use crate::account::{devices, login_operations, notaries, sessions};
use crate::address_book::clients;
use crate::testing::{execute, number};
use crate::{ConstraintKind, StorageError, on_both_databases};

fn operation(number: u64, notary: NotaryId, second: i64) -> NewLoginOperation {
    NewLoginOperation {
        id: OperationId::new(id(number)),
        notary_id: notary,
        phone: phone(1),
        purpose: LoginPurpose::Login,
        step: LoginStep::Otp,
        code_hash: Some([1; 32]),
        budget: CodeBudget::Unknown,
        code_digits: 4,
        session_id: None,
        address_hash: [2; 32],
        network_hash: [7; 32],
        transaction_id: None,
        created_at: at(second),
        expires_at: at(second + 300),
    }
}

fn network(address: &str) -> Network {
    Network::of(address.parse().unwrap())
}

fn device(number: u64, notary_id: NotaryId, token: u8, second: i64) -> Device {
    Device {
        id: DeviceId::new(id(900 + number)),
        notary_id,
        token_hash: [token; 32],
        browser: Browser::parse_saved("Firefox, Windows"),
        first_entered_at: at(second),
        last_entered_at: at(second),
    }
}

/// Returns a profile with every field filled in, each differently. The fields are written out, so that a new one does not
/// compile until the tests of its storage have it.
pub(super) fn full_profile() -> Profile {
    Profile {
        full_name: name("Коваль-Ґудзь Олена’Марія"),
        registry_identifier: identifier("REG_1"),
        inn: Some(inn("3068208400")),
        certificate_number: Some(CertificateNumber::parse("123").unwrap()),
        phone_additional: Some(Phone::parse("+380671234567").unwrap()),
        email: Some(Email::parse("olena@example.com").unwrap()),
        notary_address: Some(Line::parse("Київ, вул. Хрещатик, 1", 300).unwrap()),
        card_pan: Some(TruncatedPan::parse_profile("424242******4242").unwrap()),
        iban: Some(Iban::parse("UA213223130000026007233566001").unwrap()),
        okpo: Some(Okpo::parse("32855961").unwrap()),
        exemption_date_finish: Some(date(2027, 2, 28)),
    }
}

/// Returns the notary that is stored for a new account: only what the sign-up asks for is filled in.
fn stored(account: NewNotary) -> Notary {
    let NewNotary {
        id,
        phone,
        full_name,
        registry_identifier,
        login_step,
        chooses_payment_method,
        agreed_terms_at,
        phone_verified_at,
        created_at,
        confirmation,
    } = account;
    Notary {
        id,
        phone,
        profile: Profile::new(full_name, registry_identifier),
        login_step,
        chooses_payment_method,
        agreed_terms_at,
        phone_verified_at,
        created_at,
        updated_at: created_at,
        standing: Standing {
            account: match confirmation {
                Some(_) => AccountStanding::Confirmed,
                None => AccountStanding::Waiting,
            },
            reason: None,
            since: created_at,
            by: confirmation.unwrap_or(StandingBy::SignUp),
            confirmed_at: confirmation.map(|_| created_at),
        },
        practice: Practice {
            status: NotaryStatus::Private,
            by: NotaryStatusBy::Default,
            reason: None,
            since: created_at,
        },
        requested_name: None,
    }
}

on_both_databases! {
    async fn a_notary_is_found_by_phone_and_id_with_all_that_was_saved(store: Store) {
        let olena = notary(&store, 1).await;
        let profile = full_profile();
        let saved = profile.clone();
        assert!(store.write(locked(olena, move |tx, notary| notaries::save_profile(tx, notary, &saved, at(5)))).await.unwrap());
        let found = store.read(|tx| notaries::by_phone(tx, &phone(1))).await.unwrap().unwrap();
        assert_eq!(store.read(move |tx| notaries::by_id(tx, olena)).await.unwrap().unwrap(), found);
        assert_eq!(store.read(move |tx| notaries::full_name_of(tx, olena)).await.unwrap(), Some(found.profile.full_name.clone()));
        assert_eq!(found.profile, profile);
        assert_eq!((found.created_at, found.updated_at), (at(0), at(5)));
        assert!(!format!("{found:?} {profile:?}").contains("3068208400"));
        assert!(store.read(|tx| notaries::by_phone(tx, &phone(2))).await.unwrap().is_none());
    }

    async fn a_phone_belongs_to_one_account(store: Store) {
        notary(&store, 1).await;
        let second = NewNotary { phone: phone(1), ..new_notary(2) };
        assert!(!store.write(move |tx| notaries::insert(tx, &second)).await.unwrap());
        assert_eq!(store.read(|tx| Ok::<_, StorageError>(notaries::all(tx)?.len())).await.unwrap(), 1);
    }

    async fn a_full_card_number_is_refused_by_the_database_itself(store: Store) {
        notary(&store, 1).await;
        let save = format!("update notaries set card_pan = '4242424242424242' where phone = '{}'", phone(1).as_str());
        let refusal = store.write(move |tx| execute(tx, &save)).await.unwrap_err();
        assert!(matches!(refusal, StorageError::Constraint { kind: ConstraintKind::Check, .. }), "{refusal:?}");
        assert!(!refusal.to_string().contains("4242424242"));
    }

    async fn a_sign_up_is_begun_anew_only_until_the_phone_is_proven(store: Store) {
        let unproven = NewNotary { phone_verified_at: None, ..new_notary(1) };
        let olena = unproven.id;
        store.write(move |tx| notaries::insert(tx, &unproven)).await.unwrap();
        let anew = NewNotary { full_name: name("Інша Особа"), phone_verified_at: None, ..new_notary(1) };
        let again = anew.clone();
        assert!(store.write(move |tx| notaries::restart_sign_up(tx, olena, &anew)).await.unwrap());
        store.write(move |tx| notaries::verify_phone(tx, olena, at(9))).await.unwrap();
        store.write(move |tx| notaries::verify_phone(tx, olena, at(10))).await.unwrap();
        let again = NewNotary { full_name: name("Третя Особа"), ..again };
        assert!(!store.write(move |tx| notaries::restart_sign_up(tx, olena, &again)).await.unwrap());
        let found = store.read(move |tx| notaries::by_id(tx, olena)).await.unwrap().unwrap();
        assert_eq!((found.profile.full_name.as_str(), found.phone_verified_at), ("Інша Особа", Some(at(9))));
    }

    async fn a_new_account_is_stored_whole(store: Store) {
        let account = NewNotary {
            login_step: LoginStep::PhoneCall,
            chooses_payment_method: false,
            agreed_terms_at: Some(at(1)),
            phone_verified_at: Some(at(2)),
            created_at: at(3),
            ..new_notary(1)
        };
        let (olena, expected) = (account.id, stored(account.clone()));
        assert!(store.write(move |tx| notaries::insert(tx, &account)).await.unwrap());
        assert_eq!(store.read(move |tx| notaries::by_id(tx, olena)).await.unwrap(), Some(expected));
    }

    async fn a_restarted_sign_up_keeps_nothing_of_the_earlier_one(store: Store) {
        let unproven = NewNotary { phone_verified_at: None, confirmation: None, ..new_notary(1) };
        let olena = unproven.id;
        store.write(move |tx| notaries::insert(tx, &unproven)).await.unwrap();
        store.write(locked(olena, move |tx, notary| notaries::save_profile(tx, notary, &full_profile(), at(5)))).await.unwrap();
        let anew = NewNotary {
            id: NotaryId::new(id(2)),
            phone: phone(1),
            full_name: name("Інша Особа"),
            registry_identifier: identifier("OTHER_1"),
            login_step: LoginStep::PhoneCall,
            chooses_payment_method: false,
            agreed_terms_at: Some(at(6)),
            phone_verified_at: None,
            created_at: at(7),
            confirmation: None,
        };
        // The account keeps its id, because its earlier sessions and codes name it.
        let expected = stored(NewNotary { id: olena, ..anew.clone() });
        assert!(store.write(move |tx| notaries::restart_sign_up(tx, olena, &anew)).await.unwrap());
        assert_eq!(store.read(move |tx| notaries::by_id(tx, olena)).await.unwrap(), Some(expected));
    }

    async fn terms_step_and_flow_are_kept(store: Store) {
        let olena = notary(&store, 1).await;
        store
            .write(move |tx| {
                notaries::agree_to_terms(tx, olena, at(3))?;
                notaries::agree_to_terms(tx, olena, at(4))?;
                notaries::set_login_step(tx, olena, LoginStep::PhoneCall, at(5))?;
                notaries::set_payment_method_choice(tx, olena, false, at(6))
            })
            .await
            .unwrap();
        let found = store.read(move |tx| notaries::by_id(tx, olena)).await.unwrap().unwrap();
        assert_eq!((found.agreed_terms_at, found.login_step, found.chooses_payment_method), (Some(at(3)), LoginStep::PhoneCall, false));
    }

    async fn of_ten_parallel_verifies_one_succeeds_and_three_tries_are_three(store: Store) {
        let olena = notary(&store, 1).await;
        let new = operation(10, olena, 0);
        let operation = new.id;
        store.write(move |tx| login_operations::insert(tx, &new)).await.unwrap();
        let claimed = at_once(&store, 10, |_| move |tx| login_operations::claim_try(tx, operation, 3)).await;
        assert_eq!(claimed.iter().filter(|claimed| **claimed).count(), 3);
        let used = at_once(&store, 10, |_| move |tx| login_operations::use_once(tx, operation, at(10))).await;
        assert_eq!(used.iter().filter(|used| **used).count(), 1);
        let found = store.read(move |tx| login_operations::by_id(tx, operation)).await.unwrap().unwrap();
        assert_eq!((found.tries, found.used_at, found.code_hash), (3, Some(at(10)), Some([1; 32])));
        assert!(!store.write(move |tx| login_operations::claim_try(tx, operation, 9)).await.unwrap(), "a used one has no tries");
    }

    async fn an_operation_is_good_to_the_second_before_its_end(store: Store) {
        let olena = notary(&store, 1).await;
        let new = operation(10, olena, 0);
        let operation = new.id;
        store.write(move |tx| login_operations::insert(tx, &new)).await.unwrap();
        assert!(!store.write(move |tx| login_operations::use_once(tx, operation, at(300))).await.unwrap());
        assert!(store.write(move |tx| login_operations::use_once(tx, operation, at(299))).await.unwrap());
    }

    async fn codes_are_counted_by_phone_and_address_within_a_window(store: Store) {
        let olena = notary(&store, 1).await;
        for (number, second) in [(10, 0), (11, 100), (12, 200)] {
            let new = operation(number, olena, second);
            store.write(move |tx| login_operations::insert(tx, &new)).await.unwrap();
        }
        let other = NewLoginOperation { phone: phone(2), address_hash: [3; 32], ..operation(13, olena, 150) };
        store.write(move |tx| login_operations::insert(tx, &other)).await.unwrap();
        store
            .read(|tx| {
                assert_eq!(login_operations::count_of_phone(tx, (&phone(1), None), CodeBudget::Unknown, LoginStep::Otp, at(100))?, (2, Some(at(100))));
                assert_eq!(login_operations::count_of_phone(tx, (&phone(1), None), CodeBudget::Unknown, LoginStep::Otp, at(201))?, (0, None));
                assert_eq!(login_operations::count_of_source(tx, Source::Address(&[2; 32]), at(0))?, (3, Some(at(0))));
                assert_eq!(login_operations::count_of_source(tx, Source::Address(&[3; 32]), at(0))?, (1, Some(at(150))));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
        store.write(|tx| login_operations::delete(tx, OperationId::new(id(12)))).await.unwrap();
        assert_eq!(store.write(|tx| login_operations::purge(tx, at(100))).await, Ok(1));
        assert_eq!(store.read(|tx| login_operations::count_of_phone(tx, (&phone(1), None), CodeBudget::Unknown, LoginStep::Otp, at(0))).await, Ok((1, Some(at(100)))));
    }

    async fn a_number_that_is_refused_counts_for_address_and_network_alone(store: Store) {
        let olena = notary(&store, 1).await;
        let unknown = operation(10, olena, 100);
        let known = NewLoginOperation { budget: CodeBudget::KnownDevice, ..operation(11, olena, 110) };
        store
            .write(move |tx| {
                for operation in [&unknown, &known] {
                    login_operations::insert(tx, operation)?;
                    login_operations::delete_refused(tx, operation.id)?;
                }
                // A repeat counts nothing twice.
                login_operations::delete_refused(tx, unknown.id)
            })
            .await
            .unwrap();
        store
            .read(|tx| {
                for source in [Source::Address(&[2; 32]), Source::Network(&[7; 32])] {
                    assert_eq!(login_operations::count_of_source(tx, source, at(0))?, (1, Some(at(100))));
                }
                assert_eq!(login_operations::count_of_phone(tx, (&phone(1), None), CodeBudget::Unknown, LoginStep::Otp, at(0))?, (0, None));
                assert_eq!(login_operations::count_messages(tx, at(0))?, (0, None));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn budgets_and_networks_are_counted_apart(store: Store) {
        let olena = notary(&store, 1).await;
        let known = NewLoginOperation { budget: CodeBudget::KnownDevice, network_hash: [8; 32], ..operation(1, olena, 10) };
        let unknown = operation(2, olena, 20);
        let call = NewLoginOperation {
            step: LoginStep::PhoneCall,
            code_hash: None,
            transaction_id: Some(TransactionId::new(id(3))),
            ..operation(3, olena, 30)
        };
        let (right, wrong) = (known.id, unknown.id);
        store
            .write(move |tx| {
                for operation in [&known, &unknown, &call] {
                    login_operations::insert(tx, operation)?;
                }
                for _ in 0..2 {
                    login_operations::claim_try(tx, right, 3)?;
                    login_operations::claim_try(tx, wrong, 3)?;
                }
                login_operations::use_once(tx, right, at(40))
            })
            .await
            .unwrap();
        store
            .read(|tx| {
                let count = |tx: &mut _, budget, step| login_operations::count_of_phone(tx, (&phone(1), None), budget, step, at(0));
                assert_eq!(count(tx, CodeBudget::KnownDevice, LoginStep::Otp)?, (1, Some(at(10))));
                assert_eq!(count(tx, CodeBudget::Unknown, LoginStep::Otp)?, (1, Some(at(20))));
                assert_eq!(count(tx, CodeBudget::Unknown, LoginStep::PhoneCall)?, (1, Some(at(30))));
                assert_eq!(count(tx, CodeBudget::KnownNetwork, LoginStep::Otp)?, (0, None));
                // Of the two tries of the operation that was used up, one was right.
                let wrong = |tx: &mut _, budget| login_operations::wrong_codes_of_phone(tx, (&phone(1), None), budget, at(0));
                assert_eq!(wrong(tx, CodeBudget::KnownDevice)?.0, 1);
                assert_eq!(wrong(tx, CodeBudget::Unknown)?.0, 2);
                assert_eq!(login_operations::wrong_codes_of_new_devices(tx, at(0))?, 2);
                assert_eq!(login_operations::wrong_codes_of_new_devices(tx, at(21))?, 0);
                // Known devices use up nothing of what new ones have.
                assert_eq!(login_operations::count_of_source(tx, Source::Network(&[8; 32]), at(0))?.0, 0);
                assert_eq!(login_operations::count_of_source(tx, Source::Network(&[7; 32]), at(0))?.0, 2);
                assert_eq!(login_operations::wrong_codes_of_source(tx, Source::Network(&[7; 32]), at(0))?.0, 2);
                assert_eq!(login_operations::count_messages(tx, at(0))?, (2, Some(at(10))));
                let last = |tx: &mut _, budget| login_operations::last_sent_to_phone(tx, &phone(1), budget, at(0), 3, at(50));
                assert_eq!(last(tx, CodeBudget::KnownDevice)?, None);
                assert_eq!(last(tx, CodeBudget::Unknown)?, Some(at(30)));
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn a_device_is_known_to_those_it_has_signed_in(store: Store) {
        let (olena, taras) = (notary(&store, 1).await, notary(&store, 2).await);
        let first = device(1, olena, 1, 10);
        let stored = first.clone();
        store.write(move |tx| devices::insert(tx, &stored)).await.unwrap();
        let find = |notary, token: u8, since| store.read(move |tx| devices::of_notary(tx, notary, &[token; 32], at(since)));
        assert_eq!(find(olena, 1, 10).await.unwrap(), Some(first.clone()));
        assert_eq!(find(olena, 1, 11).await.unwrap(), None);
        assert_eq!(find(taras, 1, 0).await.unwrap(), None);
        assert_eq!(find(olena, 2, 0).await.unwrap(), None);
        assert!(store.read(|tx| devices::is_known(tx, &[1; 32])).await.unwrap());
        assert!(!store.read(|tx| devices::is_known(tx, &[2; 32])).await.unwrap());
        store.write(move |tx| devices::record_entry(tx, first.id, None, at(20))).await.unwrap();
        let entered = find(olena, 1, 20).await.unwrap().unwrap();
        assert_eq!((entered.first_entered_at, entered.last_entered_at, entered.browser), (at(10), at(20), None));
    }

    async fn other_devices_are_forgotten_and_old_ones_too(store: Store) {
        let (olena, taras) = (notary(&store, 1).await, notary(&store, 2).await);
        let all = [device(1, olena, 1, 10), device(2, olena, 2, 20), device(3, taras, 1, 30)];
        let kept = all[0].id;
        let session = Session { device_id: Some(all[1].id), ..session_until(SessionId::new(id(5)), olena, 1000) };
        let read = session.id;
        store
            .write(move |tx| {
                for device in &all {
                    devices::insert(tx, device)?;
                }
                sessions::insert(tx, &session)?;
                devices::delete_others(tx, olena, Some(kept)).map(drop)
            })
            .await
            .unwrap();
        let known = |notary, token: u8| store.read(move |tx| devices::of_notary(tx, notary, &[token; 32], at(0)));
        assert!(known(olena, 1).await.unwrap().is_some());
        assert!(known(olena, 2).await.unwrap().is_none());
        assert!(known(taras, 1).await.unwrap().is_some());
        let session = store.read(move |tx| sessions::of_notary(tx, read, olena)).await.unwrap().unwrap();
        assert_eq!(session.device_id, None);
        assert_eq!(store.write(|tx| devices::purge(tx, at(30))).await.unwrap(), 1);
        assert_eq!(store.write(move |tx| devices::delete_others(tx, taras, None)).await.unwrap(), 1);
    }

    async fn sessions_tell_where_a_notary_has_signed_in(store: Store) {
        let (olena, taras) = (notary(&store, 1).await, notary(&store, 2).await);
        let office = Session {
            network: Some(network("198.51.100.7")),
            browser: Browser::parse_saved("Edge, Windows"),
            ..session_until(SessionId::new(id(5)), olena, 1000)
        };
        let stored = office.clone();
        store
            .write(move |tx| {
                sessions::insert(tx, &stored)?;
                sessions::add_token(tx, &[1; 32], None, stored.id, at(0), at(500))
            })
            .await
            .unwrap();
        store
            .read(move |tx| {
                let (here, elsewhere) = (network("198.51.100.200"), network("203.0.113.1"));
                assert!(sessions::has_entered_from(tx, olena, &here, at(0))?);
                assert!(!sessions::has_entered_from(tx, olena, &here, at(1))?);
                assert!(!sessions::has_entered_from(tx, olena, &elsewhere, at(0))?);
                assert!(!sessions::has_entered_from(tx, taras, &here, at(0))?);
                assert!(sessions::has_anybody_entered_from(tx, &here, at(0))?);
                assert!(!sessions::has_anybody_entered_from(tx, &elsewhere, at(0))?);
                assert_eq!(sessions::count_notaries_since(tx, at(0))?, 1);
                assert_eq!(sessions::count_notaries_since(tx, at(1))?, 0);
                assert_eq!(sessions::alive_of(tx, olena, at(499))?, std::slice::from_ref(&office));
                // Its last token has expired.
                assert!(sessions::alive_of(tx, olena, at(500))?.is_empty());
                assert!(sessions::alive_of(tx, taras, at(0))?.is_empty());
                Ok::<_, StorageError>(())
            })
            .await
            .unwrap();
    }

    async fn the_codes_of_a_phone_are_found_with_their_operations(store: Store) {
        let olena = notary(&store, 1).await;
        let coded = |number, second, code_hash| NewLoginOperation { code_hash, ..operation(number, olena, second) };
        for new in [coded(10, 0, Some([1; 32])), coded(11, 100, Some([4; 32])), coded(12, 200, Some([5; 32])), coded(13, 300, None)] {
            store.write(move |tx| login_operations::insert(tx, &new)).await.unwrap();
        }
        let other = NewLoginOperation { phone: phone(2), ..operation(14, olena, 150) };
        store.write(move |tx| login_operations::insert(tx, &other)).await.unwrap();
        let mut found = store.read(|tx| login_operations::codes_of_phone(tx, &phone(1), at(100))).await.unwrap();
        found.sort();
        assert_eq!(found, [(OperationId::new(id(11)), [4; 32]), (OperationId::new(id(12)), [5; 32])]);
    }

    async fn a_limit_holds_for_parallel_requests_too(store: Store) {
        let olena = notary(&store, 1).await;
        let allowed = at_once(&store, 12, |request| {
            move |tx| {
                if login_operations::count_of_phone(tx, (&phone(1), None), CodeBudget::Unknown, LoginStep::Otp, at(-3600))?.0 >= 5 {
                    return Ok(false);
                }
                login_operations::insert(tx, &operation(100 + request, olena, 0))?;
                Ok(true)
            }
        })
        .await;
        assert_eq!(allowed.iter().filter(|allowed| **allowed).count(), 5);
    }

    async fn a_call_must_be_confirmed_before_it_opens_anything(store: Store) {
        let olena = notary(&store, 1).await;
        let transaction = TransactionId::new(id(77));
        let new = NewLoginOperation { step: LoginStep::PhoneCall, code_hash: None, transaction_id: Some(transaction), ..operation(10, olena, 0) };
        let operation = new.id;
        store
            .write(move |tx| {
                login_operations::insert(tx, &new)?;
                login_operations::record_phone_call(tx, operation, "CA1")
            })
            .await
            .unwrap();
        assert!(!store.write(move |tx| login_operations::use_confirmed_once(tx, operation, at(5))).await.unwrap());
        assert!(!store.write(move |tx| login_operations::confirm_phone_call(tx, TransactionId::new(id(78)), at(5))).await.unwrap());
        assert!(store.write(move |tx| login_operations::confirm_phone_call(tx, transaction, at(5))).await.unwrap());
        assert!(!store.write(move |tx| login_operations::confirm_phone_call(tx, transaction, at(6))).await.unwrap());
        let used = at_once(&store, 10, |_| move |tx| login_operations::use_confirmed_once(tx, operation, at(7))).await;
        assert_eq!(used.iter().filter(|used| **used).count(), 1);
        let found = store.read(move |tx| login_operations::by_transaction(tx, transaction)).await.unwrap().unwrap();
        assert_eq!((found.id, found.phone_call_id.as_deref(), found.confirmed_at), (operation, Some("CA1"), Some(at(5))));
    }

    async fn an_account_nobody_proved_goes_when_nothing_belongs_to_it(store: Store) {
        let proven = notary(&store, 1).await;
        let unproven = NewNotary { phone_verified_at: None, ..new_notary(2) };
        let waiting = NewNotary { phone_verified_at: None, ..new_notary(3) };
        let session = SessionId::new(id(40));
        let (gone, kept) = (unproven.id, waiting.id);
        store
            .write(move |tx| {
                notaries::insert(tx, &unproven)?;
                notaries::insert(tx, &waiting)?;
                sessions::insert(tx, &session_until(session, waiting.id, 1000))
            })
            .await
            .unwrap();
        let begun = store.read(move |tx| notaries::by_id(tx, gone)).await.unwrap().unwrap().created_at;
        assert_eq!(store.write(move |tx| notaries::purge_unproven(tx, begun)).await, Ok(0));
        let later = begun + jiff::SignedDuration::from_secs(1);
        assert_eq!(store.write(move |tx| notaries::purge_unproven(tx, later)).await, Ok(1));
        for (notary, is_there) in [(proven, true), (gone, false), (kept, true)] {
            assert_eq!(store.read(move |tx| notaries::by_id(tx, notary)).await.unwrap().is_some(), is_there);
        }
    }

    async fn a_call_that_was_refused_can_not_be_confirmed_and_one_that_was_confirmed_can_not_be_refused(store: Store) {
        let olena = notary(&store, 1).await;
        for (number, refused_first) in [(70, true), (71, false)] {
            let transaction = TransactionId::new(id(number));
            let new = NewLoginOperation { step: LoginStep::PhoneCall, code_hash: None, transaction_id: Some(transaction), ..operation(number, olena, 0) };
            let operation = new.id;
            store.write(move |tx| login_operations::insert(tx, &new)).await.unwrap();
            if refused_first {
                store.write(move |tx| login_operations::end_phone_call(tx, transaction, at(5))).await.unwrap();
                assert!(!store.write(move |tx| login_operations::confirm_phone_call(tx, transaction, at(5))).await.unwrap());
            } else {
                assert!(store.write(move |tx| login_operations::confirm_phone_call(tx, transaction, at(5))).await.unwrap());
                store.write(move |tx| login_operations::end_phone_call(tx, transaction, at(6))).await.unwrap();
                assert!(store.write(move |tx| login_operations::use_confirmed_once(tx, operation, at(7))).await.unwrap());
            }
        }
    }

    async fn a_session_is_alive_for_its_notary_until_it_ends(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let session = SessionId::new(id(20));
        store.write(move |tx| sessions::insert(tx, &session_until(session, olena, 1000))).await.unwrap();
        let alive = |notary, second| {
            let store = store.clone();
            async move { store.read(move |tx| sessions::alive(tx, session, notary, at(second))).await.unwrap() }
        };
        assert!(alive(olena, 999).await);
        assert!(!alive(olena, 1000).await);
        assert!(!alive(ihor, 1).await);
        assert!(store.write(move |tx| sessions::end(tx, session, at(5), EndReason::LoggedOut)).await.unwrap());
        assert!(!store.write(move |tx| sessions::end(tx, session, at(6), EndReason::TokenReplayed)).await.unwrap());
        assert!(!alive(olena, 6).await);
    }

    async fn the_session_of_a_sign_up_is_alive_for_that_alone(store: Store) {
        let unproven = NewNotary { phone_verified_at: None, ..new_notary(1) };
        let olena = unproven.id;
        let session = SessionId::new(id(20));
        store
            .write(move |tx| {
                notaries::insert(tx, &unproven)?;
                sessions::insert(tx, &session_until(session, olena, 1000))
            })
            .await
            .unwrap();
        assert!(!store.read(move |tx| sessions::alive(tx, session, olena, at(1))).await.unwrap());
        assert!(store.read(move |tx| sessions::alive_unverified(tx, session, olena, at(1))).await.unwrap());
        store.write(move |tx| notaries::verify_phone(tx, olena, at(2))).await.unwrap();
        assert!(store.read(move |tx| sessions::alive(tx, session, olena, at(3))).await.unwrap());
    }

    async fn of_parallel_uses_of_a_token_one_replaces_it_and_the_others_see_when(store: Store) {
        let olena = notary(&store, 1).await;
        let session = SessionId::new(id(20));
        store
            .write(move |tx| {
                sessions::insert(tx, &session_until(session, olena, 1000))?;
                sessions::add_token(tx, &[1; 32], None, session, at(0), at(500))
            })
            .await
            .unwrap();
        let uses = at_once(&store, 10, |_| {
            move |tx| {
                let found = sessions::by_token(tx, &[1; 32])?.unwrap();
                Ok((found.replaced_at, sessions::replace_token(tx, &[1; 32], at(7))?))
            }
        })
        .await;
        assert_eq!(uses.iter().filter(|(seen, replaced)| seen.is_none() && *replaced).count(), 1);
        assert_eq!(uses.iter().filter(|(seen, replaced)| *seen == Some(at(7)) && !*replaced).count(), 9);
        assert!(store.read(|tx| sessions::by_token(tx, &[9; 32])).await.unwrap().is_none());
    }

    async fn ending_sessions_spares_what_it_should(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let session = |number| SessionId::new(id(number));
        store
            .write(move |tx| {
                for (number, notary, until) in [(20, olena, 1000), (21, olena, 1000), (22, olena, 1000), (23, ihor, 1000), (24, ihor, 50)] {
                    sessions::insert(tx, &session_until(session(number), notary, until))?;
                    sessions::add_token(tx, &[u8::try_from(number).unwrap(); 32], None, session(number), at(0), at(until))?;
                }
                sessions::touch(tx, session(20), at(40))
            })
            .await
            .unwrap();
        assert_eq!(store.write(move |tx| sessions::end_others(tx, olena, session(20), at(60), EndReason::SignedUpAnew)).await, Ok(2));
        let found = |number: u8| store.read(move |tx| sessions::by_token(tx, &[number; 32]));
        let mut alive = Vec::new();
        for number in [20, 21, 22] {
            let session = found(number).await.unwrap().unwrap().session;
            if session.ended_at.is_none() {
                alive.push((session.id, session.last_used_at));
            }
        }
        assert_eq!(alive, [(session(20), at(40))]);
        assert_eq!(store.write(move |tx| sessions::end_all(tx, olena, at(70), EndReason::EndedByOperator)).await, Ok(1));
        assert!(store.read(move |tx| sessions::alive(tx, session(23), ihor, at(71))).await.unwrap());
        let of_ihor = store.write(move |tx| sessions::end_all(tx, ihor, at(72), EndReason::EndedByOperator)).await;
        assert_eq!(of_ihor, Ok(1), "one has expired before");
        assert_eq!(store.write(|tx| sessions::purge(tx, at(65))).await, Ok(3));
        assert_eq!(store.read(|tx| number(tx, "select count(*) from refresh_tokens")).await, Ok(2), "tokens go with their session");
    }

    async fn a_client_is_one_by_code_and_name_and_the_last_used_is_the_last(store: Store) {
        let (olena, ihor) = (notary(&store, 1).await, notary(&store, 2).await);
        let first = client(&store, olena, 30, "Шевченко Тарас", "3068208400").await;
        let renamed = client(&store, olena, 31, "Шевченко-Коваль Тарас", "3068208400").await;
        assert_ne!(first.id, renamed.id);
        let again = store
            .write(locked(olena, move |tx, notary| clients::upsert(tx, notary, cabinet_domain::ClientId::new(id(32)), &inn("3068208400"), &name("Шевченко Тарас"), at(9))))
            .await
            .unwrap();
        assert_eq!(again, first);
        assert_eq!(store.read(move |tx| clients::last_of(tx, olena)).await.unwrap(), Some(first.clone()));
        assert_eq!(store.read(move |tx| clients::last_of(tx, ihor)).await.unwrap(), None);
        assert_eq!(store.read(move |tx| clients::client_of(tx, ihor, first.id)).await.unwrap(), None);
        assert_eq!(store.read(move |tx| clients::client_of(tx, olena, renamed.id)).await.unwrap(), Some(renamed));
    }
}
