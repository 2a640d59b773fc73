//! All paths of the sandbox.

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::faults::{FaultService, fail_as_set};
use crate::sandbox::Sandbox;
use crate::{acquirer, control, liqpay, pages, paying_bank, sms, voice};

impl Sandbox {
    /// Returns the router of all pages and interfaces. Only [`Sandbox::serve`] can close a connection without an answer, which
    /// some faults ask for; any other server answers 500 there.
    pub fn router(&self) -> Router {
        let faulty = |routes: Router<Sandbox>, service: FaultService| {
            routes.layer(from_fn_with_state((self.clone(), service), fail_as_set))
        };
        Router::new()
            .nest(
                "/api/merchant",
                faulty(acquirer::routes(self), FaultService::Acquirer),
            )
            .nest("/api", faulty(liqpay::routes(), FaultService::LiqPay))
            .merge(faulty(sms::routes(), FaultService::Sms))
            .nest("/sms", faulty(sms::club_routes(), FaultService::SmsClub))
            .nest(
                "/2010-04-01/Accounts/{account}",
                faulty(voice::routes(), FaultService::Calls),
            )
            .nest("/sandbox/bank", paying_bank::routes())
            .nest("/sandbox", control::routes())
            .merge(pages::routes())
            .with_state(self.clone())
    }
}
