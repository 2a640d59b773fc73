//! What every call and page is made of: requests, answers, refusals, headers and limits.

pub(crate) mod admission;
pub(crate) mod carry_through;
pub(crate) mod client_address;
pub(crate) mod extract;
pub(crate) mod fields;
pub(crate) mod file;
pub(crate) mod headers;
pub(crate) mod json;
pub(crate) mod keys_once;
pub(crate) mod limits;
pub(crate) mod observe;
pub(crate) mod origin;
pub(crate) mod page_timing;
pub(crate) mod policy_report;
pub(crate) mod read_apart;
pub(crate) mod refusal;
pub(crate) mod request_id;
pub(crate) mod visitor;
