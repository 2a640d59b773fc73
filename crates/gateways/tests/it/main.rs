//! Tests of the adapters against servers of a test. One program, so that it is linked once.

mod mail_servers;
mod strange_answers;
