//! One call of the interface: its address, its handler and its documentation.

use aide::axum::ApiRouter;
use aide::axum::routing::{ApiMethodRouter, get_with, post_with};
use aide::operation::OperationHandler;
use aide::transform::TransformOperation;
use aide::{OperationInput, OperationOutput};
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::routing::{MethodRouter, post};

use crate::state::ApiState;

/// Writes the documentation of a call: operation id, tag, summary, and whatever its types don't say.
pub type Documentation = for<'a> fn(TransformOperation<'a>) -> TransformOperation<'a>;

/// A call of the interface.
pub struct Call {
    path: &'static str,
    route: Route,
}

enum Route {
    Documented(Box<ApiMethodRouter<ApiState>>),
    Callback(Box<MethodRouter<ApiState>>),
}

impl Call {
    /// A call by GET. The path is the one below `/api`.
    pub fn get<H, I, O, T>(path: &'static str, handler: H, documentation: Documentation) -> Call
    where
        H: Handler<T, ApiState> + OperationHandler<I, O>,
        I: OperationInput,
        O: OperationOutput,
        T: 'static,
    {
        let route = Route::Documented(Box::new(get_with(handler, documentation)));
        Call { path, route }
    }

    /// A call by POST. The path is the one below `/api`.
    pub fn post<H, I, O, T>(path: &'static str, handler: H, documentation: Documentation) -> Call
    where
        H: Handler<T, ApiState> + OperationHandler<I, O>,
        I: OperationInput,
        O: OperationOutput,
        T: 'static,
    {
        let route = Route::Documented(Box::new(post_with(handler, documentation)));
        Call { path, route }
    }

    /// A call by POST that another service makes. It is not in the document, which is for browsers.
    pub fn callback<H, T>(path: &'static str, handler: H) -> Call
    where
        H: Handler<T, ApiState>,
        T: 'static,
    {
        let route = Route::Callback(Box::new(post(handler)));
        Call { path, route }
    }

    /// The same call, with another limit of its body.
    #[must_use]
    pub fn with_body_of(self, bytes: usize) -> Call {
        let limit = DefaultBodyLimit::max(bytes);
        let route = match self.route {
            Route::Documented(route) => Route::Documented(Box::new(route.layer(limit))),
            Route::Callback(route) => Route::Callback(Box::new(route.layer(limit))),
        };
        Call { route, ..self }
    }

    /// Adds the call to a router. Calls of one path and different methods go together.
    pub fn add_to(self, router: ApiRouter<ApiState>) -> ApiRouter<ApiState> {
        match self.route {
            Route::Documented(route) => router.api_route(self.path, *route),
            Route::Callback(route) => router.route(self.path, *route),
        }
    }
}
