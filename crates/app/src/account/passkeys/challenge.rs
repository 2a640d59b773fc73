//! Challenges: what an authenticator signs, so that its answer is fresh. A challenge proves itself by a key of the installation, so asking for
//! one stores nothing and nobody can use up the place of others. It is stored when it is used, which it can be once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{Randomness, SessionId};
use cabinet_storage::payment::used_tickets;
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::kernel::keys::{Digest, Keys, same_digest};

/// A challenge is good for so long.
pub(super) const CHALLENGE_LIFETIME: SignedDuration = SignedDuration::from_mins(5);

/// What a challenge is given out for. It is good for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChallengeUse {
    /// Signing in.
    Login,
    /// Adding a passkey in a session.
    Add(SessionId),
}

/// Bytes of the moment until which it is good, and random ones.
const MOMENT_BYTES: usize = 8;
const RANDOM_BYTES: usize = 16;

/// Returns a new challenge.
pub(super) fn new_challenge(
    keys: &Keys,
    randomness: &dyn Randomness,
    of: ChallengeUse,
    now: Timestamp,
) -> Vec<u8> {
    let until = (now + CHALLENGE_LIFETIME).as_second();
    let mut random = [0; RANDOM_BYTES];
    randomness.fill(&mut random);
    let mut challenge = [&until.to_be_bytes()[..], &random].concat();
    let proof = keys.challenge_digest(&message(of, &challenge));
    challenge.extend_from_slice(&proof);
    challenge
}

/// A challenge that the cabinet has given out and that is not too old.
#[derive(Clone, Debug)]
pub(super) struct ValidChallenge {
    ticket: String,
    until: Timestamp,
}

impl ValidChallenge {
    /// Reads a challenge. Returns `None` where the cabinet has not given it out for this, or it is too old.
    pub(super) fn read(
        keys: &Keys,
        challenge: &[u8],
        of: ChallengeUse,
        now: Timestamp,
    ) -> Option<ValidChallenge> {
        let (body, proof) = challenge.split_at_checked(MOMENT_BYTES + RANDOM_BYTES)?;
        let message = message(of, body);
        let known: Vec<Digest> = keys.challenge_digests(&message);
        known.iter().find(|known| same_digest(proof, known))?;
        let (moment, _) = body.split_first_chunk::<MOMENT_BYTES>()?;
        let until = Timestamp::from_second(i64::from_be_bytes(*moment)).ok()?;
        (now < until).then(|| ValidChallenge {
            ticket: format!("challenge {}", URL_SAFE_NO_PAD.encode(challenge)),
            until,
        })
    }

    /// Uses the challenge. Returns false if it was used before, in whichever process.
    pub(super) fn use_once(&self, tx: &mut Tx) -> Result<bool, StorageError> {
        used_tickets::use_once(tx, &self.ticket, self.until)
    }
}

fn message(of: ChallengeUse, body: &[u8]) -> Vec<u8> {
    match of {
        ChallengeUse::Login => [b"login".as_slice(), body].concat(),
        ChallengeUse::Add(session) => [b"add".as_slice(), session.uuid().as_bytes(), body].concat(),
    }
}

#[cfg(test)]
mod tests {
    use cabinet_domain::SessionId;
    use uuid::Uuid;

    use super::*;
    use crate::kernel::keys::Secrets;

    struct Sevens;

    impl Randomness for Sevens {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    fn keys(current: &str, previous: Option<&str>) -> Keys {
        Keys::derive(&Secrets {
            previous: previous.map(Into::into),
            ..Secrets::only(current.into())
        })
        .unwrap()
    }

    const FIRST: &str = "0123456789abcdef0123456789abcdef";
    const SECOND: &str = "fedcba9876543210fedcba9876543210";

    #[test]
    fn a_challenge_is_good_for_five_minutes_and_for_what_it_was_given_out() {
        let keys = keys(FIRST, None);
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let session = |number| ChallengeUse::Add(SessionId::new(Uuid::from_u128(number)));
        for of in [ChallengeUse::Login, session(1)] {
            let challenge = new_challenge(&keys, &Sevens, of, now);
            let read = |challenge: &[u8], of, seconds| {
                let now = now + SignedDuration::from_secs(seconds);
                ValidChallenge::read(&keys, challenge, of, now).is_some()
            };
            assert!(read(&challenge, of, 0) && read(&challenge, of, 299));
            assert!(!read(&challenge, of, 300));
            for other in [ChallengeUse::Login, session(1), session(2)] {
                assert_eq!(read(&challenge, other, 0), other == of);
            }
            for place in 0..challenge.len() {
                let mut changed = challenge.clone();
                changed[place] ^= 1;
                assert!(!read(&changed, of, 0), "{place}");
                assert!(!read(&challenge[..place], of, 0), "{place}");
            }
        }
    }

    #[test]
    fn a_rotation_keeps_challenges_that_wait_for_their_answer() {
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let of = ChallengeUse::Login;
        let challenge = new_challenge(&keys(FIRST, None), &Sevens, of, now);
        let read = |keys: &Keys| ValidChallenge::read(keys, &challenge, of, now).is_some();
        assert!(read(&keys(SECOND, Some(FIRST))));
        assert!(!read(&keys(SECOND, None)));
    }
}
