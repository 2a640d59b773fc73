//! `cabinet register` and `cabinet notary` on the database of a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{TestApp, command_on, complained, on_sqlite, said};
use serde_json::json;

/// Runs `cabinet …` on the cabinet's database.
fn cabinet(app: &TestApp, arguments: &[&str]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .output()
        .unwrap()
}

on_sqlite! {
    async fn the_operator_loads_the_register_and_decides_about_accounts(app: TestApp) {
        let phone = "+380671234567";
        let nadiia = app.anonymous();
        let body = json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
        let started = nadiia.post("/auth/sign-up", body).await.ok();
        let code = app.outside().code(phone);
        nadiia.post("/auth/sign-up/verify", json!({ "otp_code": code, "operation_id": started["operation_id"] })).await.ok();

        let waiting = said(&cabinet(&app, &["notary", "list", "--waiting"]));
        assert!(waiting.contains("Нова Надія Назарівна, identifier NOTAR30001, certificate unknown"), "{waiting}");
        let shown = "select count(*) from audit_events where action = 'personal_data_shown'";
        assert_eq!(app.number(shown.to_owned()).await, 1);
        let file = app.database_folder().unwrap().join("register.csv");
        let name = file.to_str().unwrap();
        std::fs::write(&file, "FIO,LICENSE,INFO\nІнша Ганна Петрівна,12a,\nІнша Ганна Петрівна,\n").unwrap();
        assert_eq!(complained(&cabinet(&app, &["register", "load", name])), [
            "cabinet: register.csv:2: the certificate is not a number of 1 to 10 digits",
            "cabinet: register.csv:3: the row has 2 cells, the header 3",
            "cabinet: 2 bad rows: nothing was loaded",
        ]);
        assert_eq!(complained(&cabinet(&app, &["register", "find", "Інша"])), ["cabinet: no register was loaded: cabinet register load FILE"]);
        std::fs::write(&file, "FIO,LICENSE,INFO\nІнша Ганна Петрівна,12,зупинено\n").unwrap();
        let loaded = said(&cabinet(&app, &["register", "load", name]));
        let [first, doubt] = loaded.lines().collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(first, "The register was replaced: 1 rows. 0 accounts that waited were confirmed.");
        assert!(doubt.starts_with("doubt: the register does not tell whether ") && doubt.contains("cabinet notary set-status PHONE"), "{doubt}");
        assert!(said(&cabinet(&app, &["register", "load", name])).starts_with("Nothing changed: this file was loaded before.\n"));
        let found = said(&cabinet(&app, &["register", "find", "інша г"]));
        assert!(found.starts_with("Інша Ганна Петрівна  certificate 12, activity stopped\nof 1 rows, loaded "), "{found}");

        assert_eq!(complained(&cabinet(&app, &["notary", "unblock", phone, "--reason", "x"])), ["cabinet: the account is waiting: that decision does not fit"]);
        assert_eq!(said(&cabinet(&app, &["notary", "confirm", phone, "--reason", "Посвідчення"])), "The account is confirmed now. Its owner is told.\n");
        assert_eq!(said(&cabinet(&app, &["notary", "list", "--waiting"])), "");
        // Nobody was shown.
        assert_eq!(app.number(shown.to_owned()).await, 1);
        let blocked = said(&cabinet(&app, &["notary", "block", phone, "--reason", "Скарга"]));
        assert_eq!(blocked, "The account is blocked now. Sessions that ended: 1. Its owner is told.\n");
        nadiia.get("/cart").await.refused(401, "unauthorized");
        let all = said(&cabinet(&app, &["notary", "list"]));
        assert!(all.contains("blocked since") && all.contains("by operator (Скарга)") && !all.contains(phone), "{all}");
        assert!(said(&cabinet(&app, &["notary", "unblock", phone, "--reason", "З’ясовано"])).starts_with("The account is confirmed now."));

        assert!(all.contains("; private? (nobody has told: cabinet notary set-status)"), "{all}");
        assert_eq!(complained(&cabinet(&app, &["notary", "set-status", phone, "--status", "вільний", "--reason", "x"])), ["cabinet: --status: private, state or suspended"]);
        assert_eq!(complained(&cabinet(&app, &["notary", "set-status", "+380671230000", "--status", "state", "--reason", "x"])), ["cabinet: nobody is registered with that number"]);
        let set = said(&cabinet(&app, &["notary", "set-status", phone, "--status", "state", "--reason", "Наказ про призначення"]));
        assert_eq!(set, "The notary's status is state now. Where it was another one, she is told.\n");
        let all = said(&cabinet(&app, &["notary", "list"]));
        assert!(all.contains("; state since ") && all.contains("by operator (Наказ про призначення)"), "{all}");
        // The register tells otherwise, and does not overrule the operator.
        std::fs::write(&file, "NAME_OBJ,FIO,LICENSE,IDENTIFIER,INFO\nКиївський міський нотаріальний округ,Нова Надія Назарівна,13,NOTAR30001,\n").unwrap();
        let loaded = said(&cabinet(&app, &["register", "load", name]));
        assert!(loaded.lines().any(|line| line.starts_with("doubt: the register tells that ") && line.ends_with(" is private, the operator has decided otherwise")), "{loaded}");
        assert!(said(&cabinet(&app, &["register", "find", "Нова"])).contains("certificate 13, private\n"));
    }
}
