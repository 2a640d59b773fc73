//! How long the load of a page took, as its browser tells it. Only sums are kept, in the metrics: nothing says whose browser it was.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use cabinet_metrics::{LoadMoment, PAGE_LOAD_SECONDS, TimedScreen, Word as _};
use serde::Deserialize;

use crate::http::client_address::ClientAddress;
use crate::state::ApiState;

/// Largest accepted body, in bytes.
pub const BODY_BYTES_MAX: usize = 256;
/// Longer loads count as this long: a computer may have slept meanwhile, and anybody may send anything.
const LONGEST: Duration = Duration::from_mins(1);

/// `POST /api/page-timing`, sent once for a load by the pages of `web/`, without a cookie.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    if !state.settings.is_own_origin(&headers) {
        return StatusCode::FORBIDDEN;
    }
    if !state.limits.reads_page_timing(address) {
        return StatusCode::TOO_MANY_REQUESTS;
    }
    let Some((screen, moments)) = read(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    for (moment, seconds) in moments {
        PAGE_LOAD_SECONDS.record((screen, moment), seconds);
    }
    StatusCode::NO_CONTENT
}

/// Milliseconds since the navigation began. A browser may know no paints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageTiming {
    screen: String,
    first_paint: Option<u32>,
    largest_paint: Option<u32>,
    usable: u32,
}

/// Reads the screen and the seconds until each moment that the browser knows.
fn read(body: &[u8]) -> Option<(TimedScreen, Vec<(LoadMoment, f64)>)> {
    let timing: PageTiming = serde_json::from_slice(body).ok()?;
    let mut known = TimedScreen::ALL.iter();
    let screen = *known.find(|screen| screen.word() == timing.screen)?;
    let moments = [
        (LoadMoment::FirstPaint, timing.first_paint),
        (LoadMoment::LargestPaint, timing.largest_paint),
        (LoadMoment::Usable, Some(timing.usable)),
    ];
    let seconds = |milliseconds: u32| {
        let after = Duration::from_millis(milliseconds.into());
        after.min(LONGEST).as_secs_f64()
    };
    let told = moments
        .into_iter()
        .filter_map(|(moment, after)| Some((moment, seconds(after?))));
    Some((screen, told.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_does_not_know_is_left_out_and_long_loads_are_cut() {
        let whole =
            br#"{"screen":"payment_form","first_paint":120,"largest_paint":1500,"usable":4000000000}"#;
        let expected = vec![
            (LoadMoment::FirstPaint, 0.12),
            (LoadMoment::LargestPaint, 1.5),
            (LoadMoment::Usable, 60.0),
        ];
        assert_eq!(read(whole), Some((TimedScreen::PaymentForm, expected)));
        let least = br#"{"screen":"login","usable":0}"#;
        let expected = vec![(LoadMoment::Usable, 0.0)];
        assert_eq!(read(least), Some((TimedScreen::Login, expected)));
    }

    #[test]
    fn what_no_page_of_ours_sends_is_not_read() {
        for body in [
            "",
            "[]",
            r#"{"screen":"login"}"#,
            r#"{"screen":"/order/0199f0c2","usable":1}"#,
            r#"{"screen":"login","usable":-1}"#,
            r#"{"screen":"login","usable":0.5}"#,
            r#"{"screen":"login","usable":1e400}"#,
            r#"{"screen":"login","usable":"380501112233"}"#,
            r#"{"screen":"login","usable":1,"phone":"380501112233"}"#,
        ] {
            assert_eq!(read(body.as_bytes()), None, "{body}");
        }
    }
}
