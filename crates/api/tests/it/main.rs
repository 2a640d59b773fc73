//! Tests of the HTTP interface. One program, so that it is linked once.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops at what it did not expect"
)]

mod acquirer_faults;
mod address_book;
mod application;
mod archive_search;
mod audit;
mod authenticator;
mod bank_days;
mod bank_files;
mod bodies;
mod cancel;
mod cards_frame;
mod cart_asked_again;
mod chosen_receipts;
mod client_link;
mod codes;
mod codes_credit;
mod codes_payment;
mod complaints;
mod confirmation;
mod deal_cart;
mod deals;
mod deals_kept;
mod devices;
mod duplicates;
mod edit_item;
mod erasure;
mod export;
mod faults;
mod fee_years;
mod guessed_codes;
mod headers;
mod histories;
mod idempotency;
mod keys;
mod limits;
mod liqpay;
mod lists;
mod log_lines;
mod lost_answers;
mod new_accounts;
mod notarial_act;
mod notary_status;
mod odd_payouts;
mod order_details;
mod paid_out;
mod pairs;
mod passkeys;
mod pay_again;
mod pay_link;
mod payment_codes;
mod prices;
mod privacy;
mod profile;
mod proofs;
mod proofs_by_passkey;
mod realtime;
mod receipts;
mod release_before;
mod removed_cards;
mod repeat_order;
mod reporting;
mod reports;
mod retention;
mod returns;
mod rules;
mod saved_cards;
mod security_events;
mod sessions;
mod sheet;
mod sign_up;
mod sms_services;
mod statement;
mod strangers;
mod transfers;
mod turns;
mod two_charges;
mod two_processes;
mod unasked_calls;
mod unfinished;
mod ways;
