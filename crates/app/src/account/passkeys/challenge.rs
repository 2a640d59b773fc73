//! Challenges: what an authenticator signs, so that its answer is fresh. A challenge proves itself by a key of the installation, so asking for
//! one stores nothing and nobody can use up the place of others. It is stored when it is used, which it can be once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cabinet_domain::{Randomness, SessionId};
use cabinet_storage::payment::used_tickets;
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::kernel::keys::{Digest, Keys, same_digest};
use crate::payment::approval::PROVED_FOR;

/// What a challenge is given out for. It is good for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChallengeUse {
    /// Signing in.
    Login,
    /// Adding a passkey in a session.
    Add(SessionId),
    /// Proving a payment in a session. The challenge carries the digest of what is proved.
    Prove(SessionId),
}

impl ChallengeUse {
    /// A challenge is good for so long.
    pub(super) const fn lifetime(self) -> SignedDuration {
        match self {
            ChallengeUse::Login | ChallengeUse::Add(_) => SignedDuration::from_mins(5),
            ChallengeUse::Prove(_) => PROVED_FOR,
        }
    }
}

/// Bytes of the moment until which it is good, random ones, and those of what proves it.
const MOMENT_BYTES: usize = 8;
const RANDOM_BYTES: usize = 16;
const PROOF_BYTES: usize = 32;

/// Returns a new challenge.
pub(super) fn new_challenge(
    keys: &Keys,
    randomness: &dyn Randomness,
    of: ChallengeUse,
    now: Timestamp,
) -> Vec<u8> {
    challenge_with(&[], keys, randomness, of, now)
}

/// Returns a new challenge to prove in a session what has this digest.
pub(super) fn new_proof_challenge(
    keys: &Keys,
    randomness: &dyn Randomness,
    session: SessionId,
    digest: &Digest,
    now: Timestamp,
) -> Vec<u8> {
    challenge_with(digest, keys, randomness, ChallengeUse::Prove(session), now)
}

fn challenge_with(
    carried: &[u8],
    keys: &Keys,
    randomness: &dyn Randomness,
    of: ChallengeUse,
    now: Timestamp,
) -> Vec<u8> {
    let until = (now + of.lifetime()).as_second();
    let mut random = [0; RANDOM_BYTES];
    randomness.fill(&mut random);
    let mut challenge = [&until.to_be_bytes()[..], &random, carried].concat();
    let proof = keys.challenge_digest(&message(of, &challenge));
    challenge.extend_from_slice(&proof);
    challenge
}

/// A challenge that the cabinet has given out and that is not too old.
#[derive(Clone, Debug)]
pub(super) struct ValidChallenge {
    ticket: String,
    until: Timestamp,
    carried: Vec<u8>,
}

impl ValidChallenge {
    /// Reads a challenge. Returns `None` where the cabinet has not given it out for this, or it is too old.
    pub(super) fn read(
        keys: &Keys,
        challenge: &[u8],
        of: ChallengeUse,
        now: Timestamp,
    ) -> Option<ValidChallenge> {
        let (body, proof) = challenge.split_last_chunk::<PROOF_BYTES>()?;
        let message = message(of, body);
        let known: Vec<Digest> = keys.challenge_digests(&message);
        known.iter().find(|known| same_digest(proof, known))?;
        let (moment, rest) = body.split_first_chunk::<MOMENT_BYTES>()?;
        let until = Timestamp::from_second(i64::from_be_bytes(*moment)).ok()?;
        (now < until).then(|| ValidChallenge {
            ticket: format!("challenge {}", URL_SAFE_NO_PAD.encode(challenge)),
            until,
            carried: rest.get(RANDOM_BYTES..).unwrap_or_default().to_vec(),
        })
    }

    /// Returns the digest of what is proved; `None`: it is for something else.
    pub(super) fn digest(&self) -> Option<Digest> {
        Digest::try_from(self.carried.as_slice()).ok()
    }

    /// Returns when it was given out.
    pub(super) fn given_at(&self, of: ChallengeUse) -> Timestamp {
        self.until - of.lifetime()
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
        ChallengeUse::Prove(session) => {
            [b"prove".as_slice(), session.uuid().as_bytes(), body].concat()
        }
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
    fn a_challenge_is_good_for_a_while_and_for_what_it_was_given_out() {
        let keys = keys(FIRST, None);
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        let session = |number| SessionId::new(Uuid::from_u128(number));
        let uses = [
            ChallengeUse::Login,
            ChallengeUse::Add(session(1)),
            ChallengeUse::Prove(session(1)),
        ];
        for (of, seconds) in uses.into_iter().zip([300, 300, 600]) {
            let challenge = match of {
                ChallengeUse::Prove(session) => {
                    new_proof_challenge(&keys, &Sevens, session, &[9; 32], now)
                }
                _ => new_challenge(&keys, &Sevens, of, now),
            };
            let read = |challenge: &[u8], of, seconds| {
                let now = now + SignedDuration::from_secs(seconds);
                ValidChallenge::read(&keys, challenge, of, now)
            };
            let digest = matches!(of, ChallengeUse::Prove(_)).then_some([9; 32]);
            assert_eq!(read(&challenge, of, seconds - 1).unwrap().digest(), digest);
            assert!(read(&challenge, of, seconds).is_none());
            let foreign = [
                ChallengeUse::Add(session(2)),
                ChallengeUse::Prove(session(2)),
            ];
            for other in uses.into_iter().chain(foreign) {
                assert_eq!(read(&challenge, other, 0).is_some(), other == of);
            }
            for place in 0..challenge.len() {
                let mut changed = challenge.clone();
                changed[place] ^= 1;
                assert!(read(&changed, of, 0).is_none(), "{place}");
                assert!(read(&challenge[..place], of, 0).is_none(), "{place}");
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
