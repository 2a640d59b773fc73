//! The table of calls.

use aide::axum::ApiRouter;
use aide::axum::routing::{get_with, post_with};
use aide::transform::TransformOperation;

use crate::handlers::{auth, cart, config, orders, payment_types};
use crate::state::ApiState;

fn about(
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
) -> impl FnOnce(TransformOperation<'_>) -> TransformOperation<'_> {
    move |operation| operation.id(id).tag(tag).summary(summary)
}

/// Entering, staying, leaving, and the notary's own data.
pub fn sessions() -> ApiRouter<ApiState> {
    ApiRouter::new()
        .api_route(
            "/auth/login",
            post_with(
                auth::login::handler,
                about("login", "auth", "Start a login"),
            ),
        )
        .api_route(
            "/auth/login/otp",
            post_with(
                auth::login_code::otp,
                about(
                    "loginOtp",
                    "auth",
                    "Finish a login with the code from the message",
                ),
            ),
        )
        .api_route(
            "/auth/login/otp/custom",
            post_with(
                auth::login_code::custom,
                about(
                    "loginOtpCustom",
                    "auth",
                    "Finish a login with the registry identifier",
                ),
            ),
        )
        .api_route(
            "/auth/login/phone-call/verify",
            post_with(
                auth::phone_call::handler,
                about(
                    "loginPhoneCallVerify",
                    "auth",
                    "Finish a login by a confirmed phone call",
                ),
            ),
        )
        .api_route(
            "/auth/sign-up",
            post_with(
                auth::sign_up::handler,
                about("signUp", "auth", "Make an account"),
            ),
        )
        .api_route(
            "/auth/sign-up/verify",
            post_with(
                auth::sign_up_verify::handler,
                about("signUpVerify", "auth", "Verify the phone of a new account"),
            ),
        )
        .api_route(
            "/auth/refresh",
            post_with(
                auth::refresh::handler,
                about("refresh", "auth", "Replace both tokens"),
            ),
        )
        .api_route(
            "/auth/logout",
            post_with(
                auth::logout::handler,
                about("logout", "auth", "End the session"),
            ),
        )
        .api_route(
            "/auth/me",
            post_with(
                auth::me::handler,
                about("me", "auth", "The signed-in notary"),
            ),
        )
        .api_route(
            "/me",
            post_with(
                auth::save_profile::handler,
                about("saveProfile", "auth", "Save the profile"),
            ),
        )
}

/// What can be paid.
pub fn payment_types() -> ApiRouter<ApiState> {
    ApiRouter::new()
        .api_route(
            "/config",
            get_with(
                config::handler,
                about("config", "config", "What the browser needs to know"),
            ),
        )
        .api_route(
            "/payment-types",
            get_with(
                payment_types::list,
                about("paymentTypes", "payment types", "The kinds of payment"),
            ),
        )
        .api_route(
            "/payment-types/fields",
            get_with(
                payment_types::fields,
                about(
                    "paymentTypeFields",
                    "payment types",
                    "Options and regions of a kind",
                ),
            ),
        )
        .api_route(
            "/payment-types/region/requisites",
            get_with(
                payment_types::requisites,
                about(
                    "regionRequisites",
                    "payment types",
                    "Recipients of a region",
                ),
            ),
        )
        .api_route(
            "/payment-types/option/terms",
            get_with(
                payment_types::terms,
                about("optionTerms", "payment types", "Terms of an option"),
            ),
        )
        .api_route(
            "/payment-types/requisites/templates",
            get_with(
                payment_types::templates,
                about("requisitesTemplates", "payment types", "Ready requisites"),
            ),
        )
}

/// The cart.
pub fn cart() -> ApiRouter<ApiState> {
    ApiRouter::new()
        .api_route(
            "/cart",
            get_with(
                cart::list::handler,
                about("cart", "cart", "The cart by client"),
            ),
        )
        .api_route(
            "/cart/add",
            post_with(
                cart::add::handler,
                about("cartAdd", "cart", "Put a payment into the cart"),
            ),
        )
        .api_route(
            "/cart/item/delete",
            post_with(
                cart::items::delete,
                about("cartItemDelete", "cart", "Take an item out of the cart"),
            ),
        )
        .api_route(
            "/cart/item/restore",
            post_with(
                cart::items::restore,
                about("cartItemRestore", "cart", "Undo a delete"),
            ),
        )
        .api_route(
            "/cart/item/refresh",
            post_with(
                cart::items::refresh,
                about("cartItemRefresh", "cart", "Take over today's price"),
            ),
        )
        .api_route(
            "/cart/item/complaint",
            post_with(
                cart::complaint::handler,
                about(
                    "cartItemComplaint",
                    "cart",
                    "Tell the support what is wrong with an item",
                ),
            ),
        )
        .api_route(
            "/cart/items/count",
            get_with(
                cart::items::count,
                about("cartItemsCount", "cart", "How many items the cart has"),
            )
            .post_with(
                cart::items::set_count,
                about("cartItemSetCount", "cart", "Change an item's count"),
            ),
        )
        .api_route(
            "/cart/client/last",
            get_with(
                cart::list::last_client,
                about("cartLastClient", "cart", "The client of the latest payment"),
            ),
        )
}

/// Orders and saved cards.
pub fn orders() -> ApiRouter<ApiState> {
    ApiRouter::new()
        .api_route(
            "/order",
            get_with(
                orders::list::handler,
                about("orders", "orders", "Orders, newest first"),
            ),
        )
        .api_route(
            "/order/search",
            post_with(
                orders::list::search,
                about(
                    "searchOrders",
                    "orders",
                    "Orders by a text that must not stand in an address",
                ),
            ),
        )
        .api_route(
            "/order/export",
            post_with(
                orders::export::handler,
                about(
                    "exportOrders",
                    "orders",
                    "The payments of a search as a table, XLSX",
                ),
            ),
        )
        .api_route(
            "/order/create",
            post_with(
                orders::create::handler,
                about(
                    "orderCreate",
                    "orders",
                    "Make an order of a cart group and pay it",
                ),
            ),
        )
        .api_route(
            "/order/token/get-all-tokens-by-phone",
            get_with(
                orders::cards::saved,
                about("savedCards", "orders", "The notary's saved cards"),
            ),
        )
        .api_route(
            "/order/{id}",
            get_with(orders::one::handler, about("order", "orders", "One order")),
        )
        .api_route(
            "/order/{id}/status",
            get_with(
                orders::one::status,
                about("orderStatus", "orders", "Ask where an order stands"),
            ),
        )
        .api_route(
            "/order/{id}/update/pay-link",
            get_with(
                orders::pay_link::handler,
                about("orderPayLink", "orders", "A link that can be paid now"),
            ),
        )
        .api_route(
            "/order/{id}/receipt",
            get_with(
                orders::receipts::of_order,
                about("orderReceipt", "orders", "Receipt of an order, PDF"),
            ),
        )
        .api_route(
            "/order/{id}/receipts",
            get_with(
                orders::receipts::archive,
                about("orderReceipts", "orders", "All receipts of an order, ZIP"),
            ),
        )
        .api_route(
            "/order/item/{id}/receipt",
            get_with(
                orders::receipts::of_item,
                about("orderItemReceipt", "orders", "Receipt of an item, PDF"),
            ),
        )
        .api_route(
            "/order/item/{id}/repeat",
            get_with(
                orders::repeat::handler,
                about(
                    "orderItemRepeat",
                    "orders",
                    "What prefills the form with an earlier payment",
                ),
            ),
        )
        .api_route(
            "/tokenization/cards",
            get_with(
                orders::cards::frame,
                about("cardsFrame", "orders", "The frame that manages saved cards"),
            ),
        )
        .api_route(
            "/cntr/tkn",
            get_with(
                crate::handlers::realtime::token,
                about(
                    "realtimeToken",
                    "realtime",
                    "Token of a realtime connection",
                ),
            ),
        )
}
