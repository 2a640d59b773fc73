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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The calls of the document, and those of other services.
    fn made() -> BTreeSet<String> {
        let document = crate::openapi();
        let paths = document["paths"].as_object().unwrap();
        let documented = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(move |method| {
                format!("- `{} {}`", method.to_uppercase(), &path["/api".len()..])
            })
        });
        let callbacks = crate::routes::list()
            .into_iter()
            .filter_map(|call| match call.route {
                Route::Callback(_) => Some(format!("- `POST {}`, by another service", call.path)),
                Route::Documented(_) => None,
            });
        documented.chain(callbacks).collect()
    }

    #[test]
    fn the_list_of_calls_is_the_one_in_the_repository() {
        let text = include_str!("../../../docs/api/calls.md");
        let kept: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        let made = made();
        let made: Vec<&str> = made.iter().map(String::as_str).collect();
        assert!(
            kept == made,
            "docs/api/calls.md is stale. Its list has to be:\n{}",
            made.join("\n")
        );
    }
}
