//! The list of calls. Each is described in its file in `calls`.

use aide::axum::ApiRouter;

use crate::call::Call;
use crate::calls::account::{sessions, voice};
use crate::calls::documents;
use crate::calls::payment::{acquirer_report, liqpay_report};
use crate::calls::transfer;
use crate::calls::{
    account, address_book, books, cart, catalogue, client_link, config, deal, order, payment,
    realtime_token,
};
use crate::state::ApiState;

/// Returns the router of all calls, with their documentation.
pub fn calls() -> ApiRouter<ApiState> {
    let calls = list().into_iter();
    ApiRouter::new().nest(
        "/api",
        calls.fold(ApiRouter::new(), |router, call| call.add_to(router)),
    )
}

/// All calls, in the order of the document.
pub(crate) fn list() -> Vec<Call> {
    vec![
        account::login::call(),
        account::login_otp::call(),
        account::login_otp_custom::call(),
        account::login_phone_call_verify::call(),
        account::sign_up::call(),
        account::sign_up_verify::call(),
        account::refresh::call(),
        account::logout::call(),
        account::me::call(),
        account::save_profile::call(),
        account::confirmation::call(),
        account::confirmation_otp::call(),
        account::confirmation_phone_call::call(),
        sessions::list::call(),
        sessions::end::call(),
        sessions::end_others::call(),
        sessions::security_events::call(),
        config::call(),
        catalogue::list::call(),
        catalogue::fields::call(),
        catalogue::last_choices::call(),
        catalogue::region_requisites::call(),
        catalogue::option_terms::call(),
        catalogue::requisites_templates::call(),
        deal::kinds::call(),
        deal::calculate::call(),
        documents::calculation::call(),
        deal::cart::call(),
        cart::get::call(),
        cart::add::call(),
        cart::delete_item::call(),
        cart::restore_item::call(),
        cart::refresh_item::call(),
        cart::edit_item::read_call(),
        cart::edit_item::call(),
        cart::complaint::call(),
        cart::items_count::call(),
        cart::set_item_count::call(),
        cart::last_client::call(),
        cart::act::call(),
        cart::sheet::template_call(),
        cart::sheet::read_call(),
        cart::sheet::choices_call(),
        cart::sheet::add_call(),
        address_book::client_search::call(),
        address_book::client_delete::call(),
        address_book::recipients::call(),
        address_book::recipient_save::call(),
        address_book::recipient_delete::call(),
        order::list::call(),
        order::search::call(),
        order::unfinished::call(),
        order::export::call(),
        order::create::call(),
        order::get::call(),
        order::details::call(),
        order::status::call(),
        order::pay_link::call(),
        order::pay_again::call(),
        documents::receipt::call(),
        documents::receipts::call(),
        documents::chosen_receipts::call(),
        documents::chosen_receipts::archive_call(),
        documents::item_receipt::call(),
        order::item_repeat::call(),
        transfer::transfers::call(),
        transfer::send_again::call(),
        transfer::application::call(),
        transfer::refund_part::call(),
        transfer::refund_parts::call(),
        order::act::call(),
        documents::extract::call(),
        documents::deal_calculation::call(),
        order::cancel::call(),
        order::repeat::call(),
        order::codes::call(),
        order::codes_paid::call(),
        order::codes_paid::undo_call(),
        documents::codes_document::call(),
        client_link::view::call(),
        client_link::make::call(),
        client_link::withdraw::call(),
        client_link::send::call(),
        client_link::receipt_mail::call(),
        client_link::receipt_mail_stop::call(),
        books::overview::call(),
        books::income_book::call(),
        books::tax_quarter::call(),
        payment::saved::call(),
        payment::frame::call(),
        realtime_token::call(),
        acquirer_report::call(),
        liqpay_report::call(),
        voice::key::call(),
        voice::progress::call(),
    ]
}
