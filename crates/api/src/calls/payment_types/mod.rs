//! What can be paid, to whom and for how much. All of it is answered from memory.

pub mod fields;
pub mod list;
pub mod option_terms;
pub mod region_requisites;
pub mod requisites_templates;
