//! `GET /me/security-events`: what happened to the notary's account.

use std::borrow::Cow;

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{Actor, AuditAction, AuditChange, AuditEvent, AuditValue, Key, Network};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Moment;

pub fn call() -> Call {
    Call::get("/me/security-events", handler, |docs| {
        docs.id("securityEvents")
            .tag("sessions")
            .summary("Entries, failed codes and changes of the account")
    })
}

/// Query of `GET /me/security-events`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SecurityEventsQuery {
    /// How many at most: 1 to 100, 50 without it.
    #[schemars(with = "Option<u32>")]
    pub limit: Option<String>,
    /// `next` of the page before.
    pub before: Option<String>,
}

/// `GET /me/security-events`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SecurityEvents {
    /// The newest first.
    pub events: Vec<SecurityEvent>,
    /// Asks for the page after this one; null on the last.
    pub next: Option<String>,
}

/// Something that happened to the notary's account.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SecurityEvent {
    /// The id.
    pub id: String,
    /// What happened.
    pub kind: SecurityEventKind,
    /// When.
    pub created_at: Moment,
    /// Who did it.
    pub actor: SecurityEventActor,
    /// Name and system of the browser, as `Firefox, Windows`; null where it is not known.
    pub browser: Option<String>,
    /// The network, as `198.51.100.0/24`; null where it is not known.
    pub network: Option<String>,
    /// What changed, and details.
    pub changes: Vec<SecurityEventChange>,
}

/// A field that took another value, or a detail. Personal data is masked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SecurityEventChange {
    /// The name of the field, as `iban`.
    pub field: String,
    /// What it was, as `UA22•••7890`; null where there was nothing.
    pub from: Option<String>,
    /// What it is; null where there is nothing.
    pub to: Option<String>,
}

/// Who did something to the notary's account.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecurityEventActor {
    /// The notary, signed in.
    You,
    /// Somebody who was not signed in.
    Stranger,
    /// The operator of the cabinet.
    Support,
    /// The cabinet itself.
    Cabinet,
}

/// What happened: an action of the audit trail.
#[derive(Clone, Copy, Debug)]
pub struct SecurityEventKind(AuditAction);

impl Serialize for SecurityEventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for SecurityEventKind {
    fn schema_name() -> Cow<'static, str> {
        "SecurityEventKind".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<&str> = AuditAction::ALL
            .iter()
            .filter(|action| action.is_security_event())
            .map(|action| action.as_str())
            .collect();
        json_schema!({ "type": "string", "enum": kinds, "description": "What happened to the notary's account." })
    }
}

/// Lists the notary's own security events.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidQuery(query): ValidQuery<SecurityEventsQuery>,
) -> Result<Json<SecurityEvents>, Refusal> {
    let mut errors = FieldErrors::new();
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    let limit = given(query.limit).and_then(|text| {
        let number = text.parse().ok();
        if number.is_none() {
            errors.add("limit", Key::NumberInvalid);
        }
        number
    });
    let before = given(query.before);
    let page = state
        .services
        .accounts
        .security_events(who.notary, limit, before.as_deref(), errors)
        .await?;
    Ok(Json(SecurityEvents {
        events: page
            .events
            .into_iter()
            .map(|event| described(event, &who))
            .collect(),
        next: page.next.map(|event| event.to_string()),
    }))
}

fn described(event: AuditEvent, who: &SignedIn) -> SecurityEvent {
    let actor = match event.origin.actor {
        Actor::Notary(notary) if notary == who.notary => SecurityEventActor::You,
        Actor::Notary(_) | Actor::Stranger => SecurityEventActor::Stranger,
        Actor::Operator(_) => SecurityEventActor::Support,
        Actor::Worker => SecurityEventActor::Cabinet,
    };
    let network = event.origin.network.as_ref().map(Network::as_str);
    SecurityEvent {
        id: event.id.to_string(),
        kind: SecurityEventKind(event.action),
        created_at: event.created_at.into(),
        actor,
        browser: event
            .origin
            .browser
            .map(|browser| browser.as_str().to_owned()),
        network: network.map(str::to_owned),
        changes: event.changes.into_iter().map(changed).collect(),
    }
}

fn changed(change: AuditChange) -> SecurityEventChange {
    let shown = |value: Option<AuditValue>| value.map(|value| value.to_string());
    SecurityEventChange {
        field: change.field,
        from: shown(change.from),
        to: shown(change.to),
    }
}
