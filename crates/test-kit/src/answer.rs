//! An answer of the cabinet.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use serde_json::Value;

/// An answer of the cabinet.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The call, for messages of failed tests.
    pub(crate) call: String,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}: no JSON but {}", self.call, self.text()))
    }

    /// Returns the value of a header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// Returns the JSON of an answer that must be a 200.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}: {}", self.call, self.text());
        self.json()
    }

    /// Returns the JSON of an answer that must be a refusal with this status and key.
    #[track_caller]
    pub fn refused(&self, status: u16, key: &str) -> Value {
        let got = (
            self.status,
            self.json()["message"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        );
        assert_eq!(
            got,
            (status, key.to_owned()),
            "{}: {}",
            self.call,
            self.text()
        );
        self.json()
    }

    /// Returns the refused fields with their keys.
    pub fn fields(&self) -> BTreeMap<String, Vec<String>> {
        serde_json::from_value(self.json()["errors"].clone())
            .unwrap_or_else(|_| panic!("{}: no refusal but {}", self.call, self.text()))
    }

    /// Returns the value of a cookie that the answer sets.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.headers
            .get_all("set-cookie")
            .iter()
            .filter_map(|value| value.to_str().ok()?.split(';').next()?.split_once('='))
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.to_owned())
    }
}
