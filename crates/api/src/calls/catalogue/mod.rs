//! Reference data for the payment form: kinds, services, terms, recipients and templates. Served from memory.

pub mod fields;
pub mod last_choices;
pub mod list;
pub mod option_terms;
pub mod region_requisites;
pub mod requisites_templates;
