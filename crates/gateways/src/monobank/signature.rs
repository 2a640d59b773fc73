//! Signatures of reports: ECDSA with P-256 and SHA-256 over the raw body, ASN.1 DER in base64.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cabinet_clock::{Moment, PassingTime};

use crate::acquirer::ReportError;

/// Longest signature that is checked. A DER signature with P-256 has at most 72 bytes, 96 characters of base64.
const SIGNATURE_CHARS_MAX: usize = 128;

/// The acquirer's public key for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PublicKey {
    /// X.509 `SubjectPublicKeyInfo`, DER.
    der: Vec<u8>,
}

impl PublicKey {
    /// Reads the `key` of the acquirer's answer: a public key as PEM, in base64.
    pub(super) fn from_wire(text: &str) -> Option<Self> {
        let pem = STANDARD.decode(text.trim()).ok()?;
        let pem = std::str::from_utf8(&pem).ok()?;
        let inner = pem
            .trim()
            .strip_prefix("-----BEGIN PUBLIC KEY-----")?
            .strip_suffix("-----END PUBLIC KEY-----")?;
        let inner: String = inner.split_whitespace().collect();
        Some(Self {
            der: STANDARD.decode(inner).ok()?,
        })
    }

    /// Returns whether a base64 signature matches a body.
    fn verifies(&self, signature: &str, body: &[u8]) -> bool {
        if signature.len() > SIGNATURE_CHARS_MAX {
            return false;
        }
        let Ok(signature) = STANDARD.decode(signature.trim()) else {
            return false;
        };
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.der)
            .verify(body, &signature)
            .is_ok()
    }
}

#[derive(Debug, Default)]
struct Cached {
    key: Option<PublicKey>,
    /// When the key was last read.
    read_at: Option<Moment>,
    /// When it was last tried to read it.
    tried_at: Option<Moment>,
}

/// After this time the key is read again, so that a key that the bank has replaced is forgotten even if nothing comes that is signed by
/// its successor.
const KEY_AGE_MAX: Duration = Duration::from_secs(60 * 60);

/// Caches the key, as the bank asks. It is fetched again when a signature does not match, and when it is old. It is fetched at most
/// once per interval, so that forged reports cannot make the cabinet flood the bank. While an old key can't be fetched again, it stays.
#[derive(Debug)]
pub(super) struct KeyCache {
    interval: Duration,
    time: PassingTime,
    cached: Mutex<Cached>,
    /// Held while the key is fetched, so that concurrent reports fetch it once.
    reading: tokio::sync::Mutex<()>,
}

impl KeyCache {
    pub(super) fn new(interval: Duration, time: PassingTime) -> Self {
        Self {
            interval,
            time,
            cached: Mutex::default(),
            reading: tokio::sync::Mutex::new(()),
        }
    }

    /// Checks a signature, and fetches the key if needed.
    pub(super) async fn verify<Read, Reading>(
        &self,
        signature: Option<&str>,
        body: &[u8],
        read: Read,
    ) -> Result<(), ReportError>
    where
        Read: FnOnce() -> Reading,
        Reading: Future<Output = Option<PublicKey>>,
    {
        let Some(signature) = signature.map(str::trim).filter(|text| !text.is_empty()) else {
            return Err(ReportError::BadSignature);
        };
        let (tried, is_old) = {
            let cached = self.cached();
            let is_old = cached
                .read_at
                .is_none_or(|at| self.time.since(at) >= KEY_AGE_MAX);
            (cached.key.clone(), is_old)
        };
        let fits = tried
            .as_ref()
            .is_some_and(|key| key.verifies(signature, body));
        if fits && !is_old {
            return Ok(());
        }
        match self.another_key(tried.as_ref(), read).await {
            Some(key) if key.verifies(signature, body) => Ok(()),
            Some(_) => Err(ReportError::BadSignature),
            None if fits => Ok(()),
            None if tried.is_some() => Err(ReportError::BadSignature),
            None => Err(ReportError::KeyUnavailable),
        }
    }

    /// Returns another key than the tried one: from the cache, if another report has just fetched it, or fetched now.
    async fn another_key<Read, Reading>(
        &self,
        tried: Option<&PublicKey>,
        read: Read,
    ) -> Option<PublicKey>
    where
        Read: FnOnce() -> Reading,
        Reading: Future<Output = Option<PublicKey>>,
    {
        let _one_at_a_time = self.reading.lock().await;
        let (cached, fresh) = {
            let cached = self.cached();
            let fresh = cached
                .tried_at
                .is_some_and(|at| self.time.since(at) < self.interval);
            (cached.key.clone(), fresh)
        };
        if cached.as_ref() != tried {
            return cached;
        }
        if fresh {
            return None;
        }
        let key = read().await;
        let mut cached = self.cached();
        // Without any key no report can be checked, so the next one fetches it without waiting for the interval.
        if key.is_some() || cached.key.is_some() {
            cached.tried_at = Some(self.time.now());
        }
        if key.is_some() {
            cached.read_at = Some(self.time.now());
            cached.key.clone_from(&key);
        }
        key
    }

    fn cached(&self) -> MutexGuard<'_, Cached> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// The published test vector of the bank's integrators.
    const KEY: &str = "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFQUc1LzZ3NnZubGJZb0ZmRHlYWE4vS29CbVVjTgo3NWJSUWg4MFBhaEdldnJoanFCQnI3OXNSS0JSbnpHODFUZVQ5OEFOakU1c0R3RmZ5Znhub0ZJcmZBPT0KLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg==";
    const SIGNATURE: &str = "MEUCIQC/mVKhi8FKoayul2Mim3E2oaIOCNJk5dEXxTqbkeJSOQIgOM0hsW0qcP2H8iXy1aQYpmY0SJWEaWur7nQXlKDCFxA=";
    const BODY: &[u8] = include_bytes!("../../testdata/monobank-report.json");
    /// Another valid key of the same curve.
    const OTHER_KEY: &str = "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFNVQ0Q3hoL0NiVGtydEVjMHlRNXVraUsyN1NENgpkYnJ3UVFkbzlnSkN1cGF2cmt2NEM2WFBEbStOVUdFSHlnVy9pTnMxZEF5bk02NHRWRjhXajRGeG5RPT0KLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg==";

    fn key() -> PublicKey {
        PublicKey::from_wire(KEY).unwrap()
    }

    #[test]
    fn the_published_vector_verifies() {
        assert_eq!(BODY.len(), 582);
        assert!(key().verifies(SIGNATURE, BODY));
        assert!(key().verifies(&format!(" {SIGNATURE}\n"), BODY));
    }

    #[test]
    fn any_change_of_body_signature_or_key_is_noticed() {
        for position in 0..BODY.len() {
            let mut body = BODY.to_vec();
            body[position] ^= 1;
            assert!(!key().verifies(SIGNATURE, &body), "byte {position}");
        }
        let mut trailing = BODY.to_vec();
        trailing.push(b'\n');
        assert!(!key().verifies(SIGNATURE, &trailing));
        for signature in [
            "",
            "%%%",
            "MEUCIQ==",
            &SIGNATURE.replace("MEUC", "MEUD"),
            &"A".repeat(4096),
        ] {
            assert!(!key().verifies(signature, BODY));
        }
        assert!(
            !PublicKey::from_wire(OTHER_KEY)
                .unwrap()
                .verifies(SIGNATURE, BODY)
        );
    }

    #[test]
    fn what_is_no_key_is_no_key() {
        for text in ["", "bm9uc2Vuc2U=", "%%%"] {
            assert!(PublicKey::from_wire(text).is_none());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_key_is_read_once_and_again_only_when_a_signature_does_not_fit() {
        let reads = AtomicU32::new(0);
        let cache = KeyCache::new(Duration::from_secs(30), PassingTime::default());
        let read = |key: &'static str| {
            let reads = &reads;
            move || async move {
                reads.fetch_add(1, Ordering::SeqCst);
                PublicKey::from_wire(key)
            }
        };
        // The bank has rotated its key: the first reading gives the old one, the second the new one.
        assert_eq!(
            cache.verify(Some(SIGNATURE), BODY, read(OTHER_KEY)).await,
            Err(ReportError::BadSignature)
        );
        assert_eq!(reads.load(Ordering::SeqCst), 1);
        assert_eq!(
            cache.verify(Some(SIGNATURE), BODY, read(KEY)).await,
            Err(ReportError::BadSignature)
        );
        assert_eq!(
            reads.load(Ordering::SeqCst),
            1,
            "not again within the interval"
        );
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, read(KEY)).await, Ok(()));
        assert_eq!(reads.load(Ordering::SeqCst), 2);
        for _ in 0..10 {
            assert_eq!(cache.verify(Some(SIGNATURE), BODY, read(KEY)).await, Ok(()));
        }
        assert_eq!(
            reads.load(Ordering::SeqCst),
            2,
            "a fitting signature reads nothing"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_that_the_bank_has_replaced_is_forgotten_within_an_hour() {
        let cache = KeyCache::new(Duration::from_secs(30), PassingTime::default());
        let read = |key: &'static str| move || async move { PublicKey::from_wire(key) };
        let never = || async { panic!("the key is not old") };
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, read(KEY)).await, Ok(()));
        tokio::time::advance(KEY_AGE_MAX - Duration::from_secs(1)).await;
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, never).await, Ok(()));
        // The bank does not answer: the known key stays, and is read again after the interval.
        tokio::time::advance(Duration::from_secs(1)).await;
        let unanswered = cache.verify(Some(SIGNATURE), BODY, || async { None });
        assert_eq!(unanswered.await, Ok(()));
        let never = || async { panic!("not again within the interval") };
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, never).await, Ok(()));
        tokio::time::advance(Duration::from_secs(30)).await;
        assert_eq!(
            cache.verify(Some(SIGNATURE), BODY, read(OTHER_KEY)).await,
            Err(ReportError::BadSignature),
            "the old key is not good any more"
        );
        // The same key as before is read for another hour.
        let cache = KeyCache::new(Duration::from_secs(30), PassingTime::default());
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, read(KEY)).await, Ok(()));
        tokio::time::advance(KEY_AGE_MAX).await;
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, read(KEY)).await, Ok(()));
        let never = || async { panic!("the key is not old") };
        assert_eq!(cache.verify(Some(SIGNATURE), BODY, never).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_key_nothing_is_said_about_a_report() {
        let cache = KeyCache::new(Duration::from_secs(30), PassingTime::default());
        assert_eq!(
            cache.verify(None, BODY, || async { None }).await,
            Err(ReportError::BadSignature)
        );
        assert_eq!(
            cache.verify(Some(SIGNATURE), BODY, || async { None }).await,
            Err(ReportError::KeyUnavailable)
        );
        assert_eq!(
            cache
                .verify(Some(SIGNATURE), BODY, || async { Some(key()) })
                .await,
            Ok(())
        );
    }
}
