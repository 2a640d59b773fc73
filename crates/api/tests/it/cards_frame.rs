//! The pages of the frame in which saved cards are managed.

use cabinet_test_kit::on_sqlite;

on_sqlite! {
    async fn a_page_of_the_frame_runs_the_cabinets_own_script_and_no_other(app: TestApp) {
        let olena = app.notary("olena").await;
        // Also the page that says that an address was used already.
        let page = olena.page("/cards-frame/open/used").await;
        assert_eq!(page.status, 403);
        let policy = page.header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self';", "style-src 'self';", "base-uri 'none'", "frame-ancestors 'self'"] {
            assert!(policy.contains(part), "{part} is not in {policy}");
        }
        assert_eq!(page.text().matches("<script").count(), 1);
        assert!(page.text().contains("<script src=\"/cards-frame/height.js\" defer></script>"));

        let script = olena.page("/cards-frame/height.js").await;
        assert_eq!((script.status, script.header("content-type")), (200, "text/javascript; charset=utf-8"));
        // It speaks to a page of the cabinet and to nobody else.
        assert!(script.text().contains("location.origin") && !script.text().contains("\"*\""));
    }
}
