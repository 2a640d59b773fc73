//! Tests of the rules as other crates see them. One program, so that it is linked once.

mod acquirers;
mod bank_facts;
mod bank_references;
mod codes_credit;
mod codes_mark;
mod privacy;
mod properties;
mod refunds;
mod same_payment;
mod seals;
mod settlement;
mod statuses;
mod tables;
