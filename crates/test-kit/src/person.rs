//! People who call the cabinet, each with a browser that keeps an access token and the refresh token's cookie.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use cabinet_domain::NotaryId;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::installation::Installation;
use crate::people::{Account, profile_of};
use crate::{Answer, eventually};

/// The tokens of a browser. Its cookies have their names without https.
#[derive(Clone, Debug, Default)]
struct Memory {
    access_token: Option<String>,
    refresh_token: Option<String>,
    device: Option<String>,
}

/// A person with a browser. A clone is another tab of the same browser.
#[derive(Clone)]
pub struct Person {
    pub(crate) installation: Arc<Installation>,
    account: Option<Account>,
    address: IpAddr,
    memory: Arc<Mutex<Memory>>,
}

impl Person {
    pub(crate) fn stranger(installation: Arc<Installation>) -> Person {
        let address = installation.address();
        Person::at(installation, address)
    }

    pub(crate) fn at(installation: Arc<Installation>, address: IpAddr) -> Person {
        Person {
            installation,
            account: None,
            address,
            memory: Arc::default(),
        }
    }

    pub(crate) fn with_account(self, account: Account) -> Person {
        Person {
            account: Some(account),
            ..self
        }
    }

    /// Returns the phone of the person's account.
    pub fn phone(&self) -> &'static str {
        self.account().phone
    }

    /// Returns the id of the person's account.
    pub fn id(&self) -> NotaryId {
        self.account().id
    }

    fn account(&self) -> Account {
        self.account.expect("somebody with an account")
    }

    /// Returns tax id, full name and registry identifier of a person of the tests.
    pub fn facts(name: &str) -> (&'static str, &'static str, &'static str) {
        let profile = profile_of(name);
        (
            profile.tax_id,
            profile.full_name,
            profile.registry_identifier,
        )
    }

    /// Changes the network address.
    #[must_use]
    pub fn at_address(mut self, address: &str) -> Person {
        self.address = address.parse().expect("a network address");
        self
    }

    /// Returns the token of the browser's device cookie.
    pub fn device(&self) -> Option<String> {
        self.remembered().device.clone()
    }

    /// Replaces the token of the browser's device cookie.
    pub fn hold_device(&self, token: &str) {
        self.remembered().device = Some(token.to_owned());
    }

    /// Returns a new browser of the same person, without tokens, at an address of its own.
    pub fn elsewhere(&self) -> Person {
        Person {
            installation: Arc::clone(&self.installation),
            account: self.account,
            address: self.installation.address(),
            memory: Arc::default(),
        }
    }

    /// Asks for a code. Returns the operation's id.
    pub async fn ask_for_code(&self) -> String {
        let answer = self
            .post("/auth/login", json!({ "phone": self.phone() }))
            .await
            .ok();
        text(&answer["operation_id"])
    }

    /// Returns the newest code that arrived at the person's phone.
    pub fn code(&self) -> String {
        self.installation.outside.code(self.phone())
    }

    /// Signs in with a code.
    pub async fn log_in(&self) {
        let operation = self.ask_for_code().await;
        let code = self.code();
        self.enter(&operation, &code).await.ok();
    }

    /// Sends a code for an operation.
    pub async fn enter(&self, operation: &str, code: &str) -> Answer {
        let body = json!({ "phone": self.phone(), "otp_code": code, "operation_id": operation });
        self.post("/auth/login/otp", body).await
    }

    /// Refreshes both tokens, as a browser does in time.
    pub async fn refresh(&self) -> Answer {
        self.call(Method::POST, "/auth/refresh").send().await
    }

    /// Returns the browser's access token.
    pub fn access_token(&self) -> String {
        self.remembered().access_token.clone().unwrap_or_default()
    }

    /// Returns the refresh token in the browser's cookie.
    pub fn refresh_token(&self) -> String {
        self.remembered().refresh_token.clone().unwrap_or_default()
    }

    /// Replaces the browser's access token.
    pub fn hold_access_token(&self, token: &str) {
        self.remembered().access_token = Some(token.to_owned());
    }

    /// Replaces the refresh token in the browser's cookie.
    pub fn hold_refresh_token(&self, token: &str) {
        self.remembered().refresh_token = Some(token.to_owned());
    }

    fn remembered(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a call. `path` is what follows `/api`.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let mut request = Request::builder()
            .method(method.clone())
            .uri(format!("/api{path}"));
        let memory = self.remembered().clone();
        if let Some(token) = memory.access_token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let cookies = [
            ("refresh_token", memory.refresh_token),
            ("device", memory.device),
        ];
        let cookies = cookies
            .into_iter()
            .filter_map(|(name, token)| Some(format!("{name}={}", token?)));
        let cookies: Vec<String> = cookies.collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        Call {
            person: self.clone(),
            name: format!("{method} {path}"),
            request,
            body: Vec::new(),
        }
    }

    /// Sends a GET for a page. `path` is the whole path.
    pub async fn page(&self, path: &str) -> Answer {
        self.page_call(path).send().await
    }

    /// Starts a GET for a page.
    pub fn page_call(&self, path: &str) -> Call {
        let mut call = self.call(Method::GET, "");
        call.name = format!("GET {path}");
        call.request = call.request.uri(path);
        call
    }

    /// Sends a GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    /// Sends a POST with JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path).json(&body).send().await
    }

    /// Sends a POST with JSON. Where the cabinet asks for a proof, gives it by the code from the message and sends the same again, as a page does.
    pub async fn post_proved(&self, path: &str, body: Value) -> Answer {
        let refused = self.post(path, body.clone()).await;
        if refused.status != 403 || refused.json()["message"] != "confirmation_required" {
            return refused;
        }
        self.prove(&refused.json()["proof"]).await;
        self.post(path, body).await
    }

    /// Proves what a refusal has named, by the code from the message.
    pub async fn prove(&self, proof: &Value) {
        let started = self.post("/auth/confirmation", proof.clone()).await.ok();
        let body = json!({ "otp_code": self.code(), "operation_id": started["operation_id"] });
        self.post("/auth/confirmation/otp", body).await.ok();
    }

    /// Returns an order's status without asking the acquirer.
    pub async fn order(&self, order: &Value) -> Value {
        let id = text(&order["id"]);
        self.get(&format!("/order/{id}")).await.ok()["order"].clone()
    }

    /// Waits until an order has a status because of the acquirer's reports. Returns the order.
    #[track_caller]
    pub fn until(&self, order: &Value, status: &'static str) -> impl Future<Output = Value> {
        let place = std::panic::Location::caller();
        async move {
            let look = || async {
                let seen = self.order(order).await;
                if seen["status"] == status {
                    Ok(seen)
                } else {
                    Err(seen)
                }
            };
            eventually(look)
                .await
                .unwrap_or_else(|seen| panic!("{place}: the order never was {status}: {seen}"))
        }
    }
}

/// A request that is being built.
pub struct Call {
    person: Person,
    name: String,
    request: axum::http::request::Builder,
    body: Vec<u8>,
}

impl Call {
    /// Sets a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Some(headers) = self.request.headers_mut() {
            headers.insert(name, value.parse().expect("a value of a header"));
        }
        self
    }

    /// Removes a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        if let Some(headers) = self.request.headers_mut() {
            headers.remove(name);
        }
        self
    }

    /// Sets a JSON body.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.bytes(body.to_string().into_bytes())
    }

    /// Sets a body of any bytes with the content type of JSON.
    #[must_use]
    pub fn bytes(mut self, body: Vec<u8>) -> Self {
        self.body = body;
        self.header("content-type", "application/json")
    }

    /// Asks for the head of the answer alone.
    #[must_use]
    pub fn head(mut self) -> Self {
        self.request = self.request.method(Method::HEAD);
        self
    }

    /// Sets the body of a page's form.
    #[must_use]
    pub fn form(mut self, body: &str) -> Self {
        self.name = self.name.replace("GET", "POST");
        self.request = self.request.method(Method::POST);
        self.body = body.as_bytes().to_vec();
        self.header("content-type", "application/x-www-form-urlencoded")
    }

    /// Sends the request and reads the answer. Tokens in it are kept, as in a browser.
    pub async fn send(self) -> Answer {
        let peer = SocketAddr::new(self.person.address, 40_000);
        let request = self
            .request
            .extension(ConnectInfo(peer))
            .header(header::CONTENT_LENGTH, self.body.len())
            .body(Body::from(self.body))
            .expect("a request can be made of it");
        let router = self
            .person
            .installation
            .gate
            .router()
            .expect("the cabinet is running");
        let response = match router.oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (parts, body) = response.into_parts();
        let answer = Answer {
            call: self.name,
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: to_bytes(body, usize::MAX)
                .await
                .expect("the body of an answer")
                .to_vec(),
        };
        self.person.remember(&answer);
        answer
    }
}

impl Person {
    fn remember(&self, answer: &Answer) {
        let mut memory = self.remembered();
        if let Some(token) = answer.cookie("refresh_token") {
            memory.refresh_token = Some(token).filter(|token| !token.is_empty());
        }
        if let Some(token) = answer.cookie("device") {
            memory.device = Some(token);
        }
        let json: Option<Value> = serde_json::from_slice(&answer.body).ok();
        if let Some(token) = json.and_then(|json| json.get("access_token").cloned()) {
            memory.access_token = Some(text(&token));
        }
    }
}

/// Returns the text of a JSON string.
pub(crate) fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
        .to_owned()
}
