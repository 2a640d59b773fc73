//! Tests of the sandbox over HTTP. One program, so that it is linked once.

mod acquirer;
mod calls;
mod faults;
mod journal;
mod letters;
mod liqpay;
mod messages;
mod pages;
mod paying_bank;
mod paying_bank_page;
mod protocol;
mod reports;
mod support;
mod wallet;
