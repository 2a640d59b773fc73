//! The answers of a failing service, each in the form of that service.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use super::FaultService;

pub(super) fn too_many(service: FaultService) -> Response {
    let body = match service {
        FaultService::Acquirer | FaultService::Reports => {
            json!({"errCode": "TMR", "errText": "too many requests"})
        }
        FaultService::LiqPay => json!({"result": "error", "status": "error", "err_code": "limit"}),
        FaultService::Sms | FaultService::Mail => {
            json!({"response_code": 500, "response_status": "FAILED"})
        }
        FaultService::Calls => {
            json!({"code": 20429, "message": "Too many requests", "status": 429})
        }
        FaultService::SmsClub => json!({"code": 429, "message": "Too many requests"}),
    };
    let mut response = (StatusCode::TOO_MANY_REQUESTS, axum::Json(body)).into_response();
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

pub(super) fn internal_error(service: FaultService) -> Response {
    let body = match service {
        FaultService::Acquirer | FaultService::Reports => {
            json!({"errCode": "INTERNAL_ERROR", "errText": "internal server error"})
        }
        FaultService::LiqPay => {
            json!({"result": "error", "status": "error", "err_code": "err_cache"})
        }
        FaultService::Sms | FaultService::Mail => {
            json!({"response_code": 999, "response_status": "FAILED_FATAL_ERROR"})
        }
        FaultService::Calls => json!({"code": 20500, "message": "Internal error", "status": 500}),
        FaultService::SmsClub => json!({"code": 500, "message": "Internal error"}),
    };
    (StatusCode::INTERNAL_SERVER_ERROR, axum::Json(body)).into_response()
}

pub(super) fn refusal(service: FaultService, code: Option<&str>) -> Response {
    let number = |usual: u32| code.and_then(|code| code.parse().ok()).unwrap_or(usual);
    match service {
        FaultService::Acquirer | FaultService::Reports => {
            let body =
                json!({"errCode": code.unwrap_or("BAD_REQUEST"), "errText": "refused on order"});
            let status = match code {
                Some("NOT_FOUND") => StatusCode::NOT_FOUND,
                Some("FORBIDDEN") => StatusCode::FORBIDDEN,
                _ => StatusCode::BAD_REQUEST,
            };
            (status, axum::Json(body)).into_response()
        }
        FaultService::LiqPay => {
            let code = code.unwrap_or("err_access");
            axum::Json(json!({"result": "error", "status": "error", "err_code": code}))
                .into_response()
        }
        FaultService::Sms | FaultService::Mail => {
            let body = json!({
                "response_code": number(203), "response_status": "REFUSED_ON_ORDER", "response_result": null,
            });
            axum::Json(body).into_response()
        }
        FaultService::Calls => {
            let body = json!({"code": number(21216), "message": "Refused on order", "status": 400});
            (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
        }
        FaultService::SmsClub => {
            let status = u16::try_from(number(402)).ok();
            let status = status.and_then(|code| StatusCode::from_u16(code).ok());
            let body = json!({"message": "refused on order"});
            (status.unwrap_or(StatusCode::BAD_REQUEST), axum::Json(body)).into_response()
        }
    }
}

/// An HTML page instead of JSON, as a proxy may answer.
pub(super) fn garbage() -> Response {
    (
        StatusCode::OK,
        [(CONTENT_TYPE, "text/html")],
        "<html><body>Ooops</body></html>",
    )
        .into_response()
}
