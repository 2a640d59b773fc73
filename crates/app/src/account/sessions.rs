//! Sessions: opening one on a device, and ending it.

use base64::Engine;
use cabinet_domain::{
    Actor, Device, DeviceId, EndReason, Key, NotaryId, Origin, Randomness, Session, SessionId,
    kyiv_time,
};
use cabinet_storage::account::{devices, login_operations, passkeys, sessions};
use cabinet_storage::{LockedNotary, StorageError, Tx, lock_notary};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};

use super::Accounts;
use super::act_to_prove::ActToProve;
use super::limits::DEVICE_KNOWN;
use super::security_events::{session_ended, sessions_ended, signed_out};
use super::visitor::{Visitor, VisitorTraces};
use crate::kernel::ids::UnitContext;
use crate::kernel::keys::{Digest, token_digest};
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{Refusal, Result};
use crate::kernel::texts;
use crate::payment::approval::Signer;

/// A session that was just opened or refreshed.
#[derive(Clone, Debug)]
pub struct OpenedSession {
    /// The notary.
    pub notary: NotaryId,
    /// The session.
    pub session: SessionId,
    /// The refresh token. It replaces every earlier one.
    pub refresh_token: SecretString,
    /// How long the refresh token is valid.
    pub refresh_lifetime: SignedDuration,
    /// When the session ends unless it is refreshed before.
    pub session_expires_at: Timestamp,
    /// The token of the device, for its cookie. `None` where the cookie stays as it is.
    pub device_token: Option<SecretString>,
}

impl OpenedSession {
    /// How long the cookie of the device is kept.
    pub const DEVICE_LIFETIME: SignedDuration = DEVICE_KNOWN;
}

/// Returns a new token: 32 random bytes as text. Only its digest is stored.
pub(super) fn generate_token(randomness: &dyn Randomness) -> SecretString {
    let mut bytes = [0_u8; 32];
    randomness.fill(&mut bytes);
    SecretString::from(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

/// A session that is about to be stored. Its random values are fixed before the unit of work, which may run twice.
#[derive(Clone)]
pub(super) struct NewSession {
    id: SessionId,
    token: SecretString,
    visitor: VisitorTraces,
    device: DeviceId,
    /// The token that the browser sent.
    sent_token: Option<SecretString>,
    /// For a browser without a token, or with one that nobody knows.
    fresh_token: SecretString,
    idle: SignedDuration,
    absolute: SignedDuration,
    opened_at: Timestamp,
}

/// What a new session has changed besides.
#[derive(Clone)]
pub(super) struct Entered {
    device_token: SecretString,
    /// Whether the device had not signed this notary in before.
    pub(super) is_new_device: bool,
}

impl NewSession {
    pub(super) const fn id(&self) -> SessionId {
        self.id
    }

    pub(super) const fn visitor(&self) -> &VisitorTraces {
        &self.visitor
    }

    /// Stores the session and its device, and ends the earlier session of the same browser. `by`: who has opened it.
    pub(super) fn insert(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: NotaryId,
        by: Actor,
    ) -> Result<Entered, StorageError> {
        let now = unit.now;
        self.end_earlier(tx, unit, by)?;
        let (device_token, device, is_new_device) = self.store_device(tx, notary, now)?;
        sessions::insert(
            tx,
            &Session {
                id: self.id,
                notary_id: notary,
                device_id: Some(device),
                browser: self.visitor.browser.clone(),
                network: Some(self.visitor.network.clone()),
                created_at: now,
                last_used_at: now,
                expires_at: now + self.absolute,
                ended_at: None,
                end_reason: None,
            },
        )?;
        sessions::add_token(
            tx,
            &token_digest(self.token.expose_secret()),
            None,
            self.id,
            now,
            now + self.idle.min(self.absolute),
        )?;
        Ok(Entered {
            device_token,
            is_new_device,
        })
    }

    /// A browser has one session. Its cookie with the earlier one, which may be another notary's, is about to be overwritten.
    fn end_earlier(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        by: Actor,
    ) -> Result<(), StorageError> {
        let Some(token) = &self.visitor.refresh else {
            return Ok(());
        };
        let Some(found) = sessions::by_token(tx, token)? else {
            return Ok(());
        };
        let (earlier, reason) = (found.session, EndReason::ReplacedByLogin);
        // What has expired does not end now, and an account whose phone is not verified is nobody's.
        let was_alive = sessions::alive(tx, earlier.id, earlier.notary_id, unit.now)?;
        if sessions::end(tx, earlier.id, unit.now, reason)? && was_alive {
            session_ended(&earlier).with("reason", reason).record(
                tx,
                unit,
                &self.visitor.origin(by),
            )?;
        }
        Ok(())
    }

    /// Returns the device's token and id, and whether it is new to this notary.
    fn store_device(
        &self,
        tx: &mut Tx,
        notary: NotaryId,
        now: Timestamp,
    ) -> Result<(SecretString, DeviceId, bool), StorageError> {
        // A token that the cabinet did not give out is not taken over: somebody may have planted it.
        let known = match (&self.sent_token, &self.visitor.device) {
            (Some(token), Some(hash)) if devices::is_known(tx, hash)? => Some((token, *hash)),
            _ => None,
        };
        let (token, hash): (&SecretString, Digest) = known.unwrap_or_else(|| {
            let fresh = &self.fresh_token;
            (fresh, token_digest(fresh.expose_secret()))
        });
        if let Some(device) = devices::of_notary(tx, notary, &hash, Timestamp::UNIX_EPOCH)? {
            devices::record_entry(tx, device.id, self.visitor.browser.as_ref(), now)?;
            return Ok((token.clone(), device.id, false));
        }
        devices::insert(
            tx,
            &Device {
                id: self.device,
                notary_id: notary,
                token_hash: hash,
                browser: self.visitor.browser.clone(),
                first_entered_at: now,
                last_entered_at: now,
            },
        )?;
        Ok((token.clone(), self.device, true))
    }

    /// Returns the session that was stored.
    pub(super) fn opened(self, notary: NotaryId, entered: Entered) -> OpenedSession {
        let device_token = Some(entered.device_token);
        self.open(notary, device_token)
    }

    /// Returns a session that looks like a stored one and is none.
    pub(super) fn pretended(self, nobody: NotaryId) -> OpenedSession {
        let device_token = Some(self.fresh_token.clone());
        self.open(nobody, device_token)
    }

    fn open(self, notary: NotaryId, device_token: Option<SecretString>) -> OpenedSession {
        OpenedSession {
            notary,
            session: self.id,
            refresh_lifetime: self.idle.min(self.absolute),
            session_expires_at: self.opened_at + self.idle.min(self.absolute),
            refresh_token: self.token,
            device_token,
        }
    }
}

impl Accounts {
    /// Returns a session that is opened now and not stored yet.
    pub(super) fn new_session(&self, visitor: &Visitor) -> NewSession {
        let randomness = self.ids.randomness.as_ref();
        NewSession {
            id: SessionId::new(self.ids.new_id()),
            token: generate_token(randomness),
            visitor: visitor.traces(&self.codes.keys),
            device: DeviceId::new(self.ids.new_id()),
            sent_token: visitor.device_token.clone(),
            fresh_token: generate_token(randomness),
            idle: self.sessions.idle,
            absolute: self.sessions.absolute,
            opened_at: self.clock.now(),
        }
    }

    /// Whether the session is alive and the notary's phone is verified.
    pub async fn is_session_alive(&self, notary: NotaryId, session: SessionId) -> Result<bool> {
        let now = self.clock.now();
        Ok(self
            .store
            .read(move |tx| sessions::alive(tx, session, notary, now))
            .await?)
    }

    /// Returns the sessions of a notary that have not ended, the last used first.
    pub async fn list_sessions(&self, notary: NotaryId) -> Result<Vec<Session>> {
        let now = self.clock.now();
        Ok(self
            .store
            .read(move |tx| sessions::alive_of(tx, notary, now))
            .await?)
    }

    /// Ends a session of a notary. Its refresh tokens, access tokens and realtime connections end at once. Its device is a new one
    /// at the next entry. Another session than the present one needs a proof.
    ///
    /// # Errors
    /// `session_unknown`, `confirmation_required` with what is to be proved.
    pub async fn end_session(
        &self,
        signer: Signer,
        session: SessionId,
        origin: Origin,
    ) -> Result<()> {
        let notary = signer.notary;
        let (unit, approvals) = (self.ids.unit(), self.approvals);
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| -> Result<bool> {
            // Before her sessions and devices, as whoever enters or ends the others.
            let _locked = lock_notary(tx, notary)?;
            let Some(found) = sessions::of_notary(tx, session, notary)? else {
                return Ok(false);
            };
            let mut unit = unit.clone();
            if !sessions::end(tx, session, unit.now, EndReason::EndedByNotary)? {
                return Ok(false);
            }
            if let Some(device) = found.device_id {
                devices::delete(tx, device)?;
            }
            let mut entry = session_ended(&found);
            if session != signer.session {
                let act = ActToProve::EndSessions(Some(session));
                entry = entry.proved(approvals.approve_act(tx, signer, act, unit.now)??);
                tell_ended(tx, &mut unit, notary, false, &notifier)?;
            }
            entry.record(tx, &mut unit, &origin)?;
            Ok(true)
        };
        if !self.store.write(write).await? {
            return Err(Refusal::not_found(Key::SessionUnknown).into());
        }
        tracing::info!(notary.id = %notary, session.id = %session, "A notary ended a session");
        Ok(())
    }

    /// Ends all sessions of a notary but her present one, and forgets their devices. Returns their number. Where there are none, nothing is
    /// proved.
    ///
    /// # Errors
    /// `confirmation_required` with what is to be proved.
    pub async fn end_other_sessions(&self, signer: Signer, origin: Origin) -> Result<usize> {
        let (notary, kept) = (signer.notary, signer.session);
        let (unit, approvals) = (self.ids.unit(), self.approvals);
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| -> Result<Vec<SessionId>> {
            let (now, mut unit) = (unit.now, unit.clone());
            // No login comes between the question and the end.
            let _locked = lock_notary(tx, notary)?;
            let kept_device = sessions::of_notary(tx, kept, notary)?.and_then(|one| one.device_id);
            let others: Vec<Session> = sessions::alive_of(tx, notary, now)?
                .into_iter()
                .filter(|session| session.id != kept)
                .collect();
            let forgotten = devices::delete_others(tx, notary, kept_device)?;
            let ended = sessions::end_others(tx, notary, kept, now, EndReason::EndedByNotary)?;
            if ended == 0 && forgotten == 0 {
                return Ok(Vec::new());
            }
            let act = ActToProve::EndSessions(None);
            let proved = approvals.approve_act(tx, signer, act, now)??;
            if ended > 0 {
                let entry = sessions_ended(notary, ended).proved(proved);
                entry.record(tx, &mut unit, &origin)?;
                tell_ended(tx, &mut unit, notary, true, &notifier)?;
            }
            Ok(others.into_iter().map(|session| session.id).collect())
        };
        let ended = self.store.write(write).await?;
        tracing::info!(notary.id = %notary, sessions = ended.len(), "A notary ended the other sessions");
        Ok(ended.len())
    }

    /// Ends the session. Its refresh tokens, access tokens and realtime connections end at once.
    pub async fn log_out(
        &self,
        notary: NotaryId,
        session: SessionId,
        origin: Origin,
    ) -> Result<()> {
        let unit = self.ids.unit();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            if sessions::end(tx, session, unit.now, EndReason::LoggedOut)? {
                signed_out(notary, session).record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await?;
        tracing::info!(notary.id = %notary, session.id = %session, "A notary signed out");
        Ok(())
    }

    /// Ends the session of a refresh token, for a page whose access token has expired. A token that nobody knows is ignored. `place`:
    /// where the request comes from; who asks is known by the token.
    pub async fn log_out_by_token(&self, token: &SecretString, place: Origin) -> Result<()> {
        let unit = self.ids.unit();
        let hash = token_digest(token.expose_secret());
        let write = move |tx: &mut Tx| -> Result<Option<Session>, StorageError> {
            let Some(found) = sessions::by_token(tx, &hash)? else {
                return Ok(None);
            };
            let (id, notary) = (found.session.id, found.session.notary_id);
            if !sessions::end(tx, id, unit.now, EndReason::LoggedOut)? {
                return Ok(None);
            }
            let origin = place.clone().acted_by(Actor::Notary(notary));
            signed_out(notary, id).record(tx, &mut unit.clone(), &origin)?;
            Ok(Some(found.session))
        };
        if let Some(session) = self.store.write(write).await? {
            tracing::info!(notary.id = %session.notary_id, session.id = %session.id, "A notary signed out");
        }
        Ok(())
    }
}

/// Shuts everybody out of an account at the operator's wish: its sessions end, its browsers and passkeys are forgotten, and codes and calls
/// that wait for an answer are good for nothing. Returns how many sessions ended.
pub(crate) fn shut_out(
    tx: &mut Tx,
    locked: &LockedNotary,
    now: Timestamp,
) -> Result<u64, StorageError> {
    let notary = locked.id();
    login_operations::end_open(tx, notary)?;
    let ended = sessions::end_all(tx, notary, now, EndReason::EndedByOperator)?;
    devices::delete_others(tx, notary, None)?;
    passkeys::delete_all(tx, locked)?;
    Ok(ended)
}

/// Tells the notary at every contact that other sessions of hers were ended: whoever has taken one of hers may have shut her out.
fn tell_ended(
    tx: &mut Tx,
    unit: &mut UnitContext,
    notary: NotaryId,
    all: bool,
    notifier: &Notifier,
) -> Result<()> {
    let notice = texts::ended_sessions(all, &kyiv_time(unit.now), notifier.support_phone());
    Ok(notifier.tell_everywhere(tx, unit, notary, &notice)?)
}
