//! The pages of the frame for saved cards.

use cabinet_test_kit::on_sqlite;

on_sqlite! {
    async fn a_page_of_the_frame_runs_the_cabinets_own_script_and_no_other(app: TestApp) {
        let olena = app.notary("olena").await;
        // Also the page for an address that was used already.
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
        // It posts messages only to pages of the cabinet's origin.
        assert!(script.text().contains("location.origin") && !script.text().contains("\"*\""));
    }

    async fn an_address_that_is_sent_as_a_link_opens_no_wallet(app: TestApp) {
        let olena = app.notary("olena").await;
        let address = olena.get("/tokenization/cards").await.ok()["cards"]["url"].as_str().unwrap().to_owned();
        let path = &address[address.find("/cards-frame").unwrap()..];
        let open = async |site: &str| olena.page_call(path).header("sec-fetch-site", site).send().await;
        for site in ["cross-site", "same-site", "none"] {
            let refused = open(site).await;
            assert_eq!((refused.status, refused.header("set-cookie")), (403, ""), "{site}");
        }
        // Nor does one that is opened as a page, a document or a script.
        for dest in ["document", "embed", "script", "empty"] {
            let refused = olena.page_call(path).header("sec-fetch-site", "same-origin").header("sec-fetch-dest", dest).send().await;
            assert_eq!((refused.status, refused.header("set-cookie")), (403, ""), "{dest}");
        }
        // The ticket was not used up.
        let opened = open("same-origin").await;
        assert_eq!((opened.status, opened.header("location")), (303, "/cards-frame"));
        assert!(opened.header("set-cookie").starts_with("cards_frame="));
        assert_eq!(open("same-origin").await.status, 403);
    }

    async fn over_https_no_other_host_can_set_the_cookie(app: TestApp) {
        app.restart_with(|settings| settings.secure = true).await;
        let olena = app.notary("olena").await;
        let address = olena.get("/tokenization/cards").await.ok()["cards"]["url"].as_str().unwrap().to_owned();
        let path = &address[address.find("/cards-frame").unwrap()..];
        // Whoever says nothing about where the address was opened is refused.
        assert_eq!(olena.page(path).await.status, 403);
        assert_eq!(olena.page_call(path).header("sec-fetch-site", "same-origin").send().await.status, 403);
        assert_eq!(olena.page_call(path).header("sec-fetch-dest", "iframe").send().await.status, 403);
        let opened = olena.page_call(path).header("sec-fetch-site", "same-origin").header("sec-fetch-dest", "iframe").send().await;
        let cookie = opened.header("set-cookie").to_owned();
        assert!(cookie.starts_with("__Host-cards_frame="), "{cookie}");
        for part in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/"] {
            assert!(cookie.contains(part), "{part} is not in {cookie}");
        }
        let pass = opened.cookie("__Host-cards_frame").unwrap();
        let list = |name: &str| olena.page_call("/cards-frame").header("cookie", &format!("{name}={pass}")).send();
        assert_eq!(list("__Host-cards_frame").await.status, 200);
        // Any host of the domain can set a cookie with the plain name.
        assert_eq!(list("cards_frame").await.status, 403);
    }
}
