//! The list of calls. Each is described in its file in `calls`.

use aide::axum::ApiRouter;

use crate::call::Call;
use crate::calls::{
    acquirer_report, auth, cards, cart, config, deals, orders, payment_types, realtime_token,
    reports, sessions, voice,
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

fn list() -> Vec<Call> {
    vec![
        auth::login::call(),
        auth::login_otp::call(),
        auth::login_otp_custom::call(),
        auth::login_phone_call_verify::call(),
        auth::sign_up::call(),
        auth::sign_up_verify::call(),
        auth::refresh::call(),
        auth::logout::call(),
        auth::me::call(),
        auth::save_profile::call(),
        auth::confirmation::call(),
        auth::confirmation_otp::call(),
        auth::confirmation_phone_call::call(),
        sessions::list::call(),
        sessions::end::call(),
        sessions::end_others::call(),
        sessions::security_events::call(),
        config::call(),
        payment_types::list::call(),
        payment_types::fields::call(),
        payment_types::region_requisites::call(),
        payment_types::option_terms::call(),
        payment_types::requisites_templates::call(),
        deals::kinds::call(),
        deals::calculate::call(),
        deals::calculation::call(),
        deals::cart::call(),
        cart::get::call(),
        cart::add::call(),
        cart::delete_item::call(),
        cart::restore_item::call(),
        cart::refresh_item::call(),
        cart::complaint::call(),
        cart::items_count::call(),
        cart::set_item_count::call(),
        cart::last_client::call(),
        cart::clients::call(),
        cart::act::call(),
        cart::sheet::template_call(),
        cart::sheet::read_call(),
        cart::sheet::choices_call(),
        cart::sheet::add_call(),
        orders::list::call(),
        orders::search::call(),
        orders::export::call(),
        orders::create::call(),
        orders::get::call(),
        orders::status::call(),
        orders::pay_link::call(),
        orders::pay_again::call(),
        orders::receipt::call(),
        orders::receipts::call(),
        orders::item_receipt::call(),
        orders::item_repeat::call(),
        orders::transfers::call(),
        orders::send_again::call(),
        orders::application::call(),
        orders::refund_part::call(),
        orders::refund_parts::call(),
        orders::act::call(),
        orders::extract::call(),
        orders::deal_calculation::call(),
        orders::cancel::call(),
        orders::repeat::call(),
        orders::codes::call(),
        orders::codes_document::call(),
        reports::overview::call(),
        reports::income_book::call(),
        reports::tax_quarter::call(),
        cards::saved::call(),
        cards::frame::call(),
        realtime_token::call(),
        acquirer_report::call(),
        voice::key::call(),
        voice::progress::call(),
    ]
}
