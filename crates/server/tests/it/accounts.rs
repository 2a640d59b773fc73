//! `cabinet register` and `cabinet notary` on the database of a running cabinet.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::Output;

use cabinet_test_kit::{TestApp, command_on, complained, on_sqlite, said};
use serde_json::{Value, json};

use crate::command::at_terminal;

/// Runs `cabinet …` on the cabinet's database.
fn cabinet(app: &TestApp, arguments: &[&str]) -> Output {
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs it with a text on its standard input.
fn cabinet_reading(app: &TestApp, arguments: &[&str], text: &str) -> Output {
    let file = app.database_folder().unwrap().join("input.txt");
    std::fs::write(&file, text).unwrap();
    command_on(app, env!("CARGO_BIN_EXE_cabinet"))
        .args(arguments)
        .stdin(std::fs::File::open(&file).unwrap())
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
        for expected in ["WAITING (Kyiv time)\n", "Нова Надія Назарівна  NOTAR30001  2", phone] {
            assert!(waiting.contains(expected), "{waiting}");
        }
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
        assert_eq!(first, "The register was replaced: 1 rows, 0 with a telephone or e-mail. 0 accounts that waited were confirmed.");
        assert!(doubt.starts_with("doubt: the register does not tell whether ") && doubt.contains("cabinet notary set-status PHONE"), "{doubt}");
        assert!(said(&cabinet(&app, &["register", "load", name])).starts_with("Nothing changed: this file was loaded before.\n"));
        let found = said(&cabinet(&app, &["register", "find", "інша г"]));
        assert!(found.ends_with(" (Kyiv time)\n"), "{found}");
        assert!(said(&cabinet(&app, &["register", "find", "Нікого"])).starts_with("No row fits: "));
        assert!(found.starts_with("Інша Ганна Петрівна  certificate 12, no identifier, activity stopped\nof 1 rows, loaded "), "{found}");

        assert_eq!(complained(&cabinet(&app, &["notary", "unblock", phone, "--reason", "x"])), ["cabinet: the account is waiting: that decision does not fit"]);
        assert_eq!(said(&cabinet(&app, &["notary", "confirm", phone, "--reason", "Посвідчення"])),
            "The account is confirmed now. Its owner is told.\nNobody has told whether she is a private or a state notary, and the account counts as private: cabinet notary set-status\n");
        assert_eq!(said(&cabinet(&app, &["notary", "list", "--waiting"])), "None.\n");
        // Nobody was shown.
        assert_eq!(app.number(shown.to_owned()).await, 1);
        // A command has the machine's clock, for which the sessions of the test expired long ago.
        app.execute("update sessions set expires_at = 4102444800000000".to_owned()).await;
        let blocked = said(&cabinet(&app, &["notary", "block", phone, "--reason", "Скарга"]));
        assert_eq!(blocked, "The account is blocked now. Sessions that ended: 1. Its owner is told.\n");
        nadiia.get("/cart").await.refused(401, "unauthorized");
        let all = said(&cabinet(&app, &["notary", "list"]));
        assert!(all.lines().any(|line| line.contains("  blocked  ") && line.contains("  operator  Скарга  ")), "{all}");
        assert!(all.starts_with("ACCOUNTS (Kyiv time)\n") && !all.contains(phone), "{all}");
        let listed: Value = serde_json::from_str(&said(&cabinet(&app, &["notary", "list", "--json"]))).unwrap();
        let is_blocked = |account: &Value| account["standing"] == "blocked" && account["reason"] == "Скарга";
        assert_eq!(listed["accounts"].as_array().unwrap().iter().filter(|account| is_blocked(account)).count(), 1, "{listed}");
        assert!(said(&cabinet(&app, &["notary", "unblock", phone, "--reason", "З’ясовано"])).starts_with("The account is confirmed now."));

        assert!(all.contains("nobody has told the status: cabinet notary set-status"), "{all}");
        assert_eq!(complained(&cabinet(&app, &["notary", "set-status", phone, "--status", "вільний", "--reason", "x"])), ["cabinet: --status: private, state or suspended"]);
        assert_eq!(complained(&cabinet(&app, &["notary", "set-status", "+380671230000", "--status", "state", "--reason", "x"])), ["cabinet: nobody is registered with that number"]);
        let set = said(&cabinet(&app, &["notary", "set-status", phone, "--status", "state", "--reason", "Наказ про призначення"]));
        assert_eq!(set, "The notary's status is state now. Where it was another one, she is told.\n");
        let all = said(&cabinet(&app, &["notary", "list"]));
        assert!(all.lines().any(|line| line.contains("  state  ") && line.contains("  operator  ") && line.contains("  Наказ про призначення")), "{all}");
        // The register tells otherwise, and does not overrule the operator.
        std::fs::write(&file, "NAME_OBJ,FIO,LICENSE,IDENTIFIER,INFO\nКиївський міський нотаріальний округ,Нова Надія Назарівна,13,NOTAR30001,\n").unwrap();
        let loaded = said(&cabinet(&app, &["register", "load", name]));
        assert!(loaded.lines().any(|line| line.starts_with("doubt: the register tells that ") && line.ends_with(" is private, the operator has decided otherwise")), "{loaded}");
        assert!(said(&cabinet(&app, &["register", "find", "Нова"])).contains("30001, private\n"));
    }

    async fn a_new_name_is_shown_before_it_is_confirmed(app: TestApp) {
        let olena = app.notary("olena").await;
        let wanted = "Коваль-Бондар Олена Іванівна";
        olena.post("/me", json!({ "full_name": wanted, "registry_identifier": "NOTAR20001" })).await.ok();
        let confirm = |more: &[&str]| {
            let command = ["notary", "confirm", olena.phone(), "--reason", "Свідоцтво про шлюб"];
            cabinet(&app, &[&command, more].concat())
        };
        let asked = complained(&confirm(&[])).join("\n");
        assert!(asked.contains(&format!("It asks for: {wanted}")) && asked.contains("repeat with --yes"), "{asked}");
        let waiting = "select count(*) from notaries where requested_name is not null";
        let mut asking = command_on(&app, env!("CARGO_BIN_EXE_cabinet"));
        asking.args(["notary", "confirm", olena.phone(), "--reason", "Свідоцтво про шлюб"]);
        let (went, told) = at_terminal(&asking, "ні");
        assert!(!went && told.contains(&format!("It asks for: {wanted}")) && told.contains("nothing was changed"), "{told}");
        assert_eq!(app.number(waiting.to_owned()).await, 1);
        assert!(said(&confirm(&["--yes"])).starts_with("The new name is the account's name now. Its owner is told.\n"));
        assert_eq!(app.number(waiting.to_owned()).await, 0);
    }

    async fn a_notary_is_confirmed_with_her_status_and_found_by_a_part_of_her_name(app: TestApp) {
        let phone = "+380671234567";
        let nadiia = app.anonymous();
        let body = json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
        let started = nadiia.post("/auth/sign-up", body).await.ok();
        let code = app.outside().code(phone);
        nadiia.post("/auth/sign-up/verify", json!({ "otp_code": code, "operation_id": started["operation_id"] })).await.ok();
        let confirm = |status: &str| cabinet(&app, &["notary", "confirm", phone, "--status", status, "--reason", "Наказ"]);
        assert_eq!(complained(&confirm("вільна")), ["cabinet: --status: private, state or suspended"]);
        assert_eq!(
            said(&confirm("state")),
            "The account is confirmed now. Its owner is told.\nThe notary's status is state now. Where it was another one, she is told.\n"
        );
        for name in ["надія", "НОВА", "назар нова"] {
            let found = said(&cabinet(&app, &["notary", "find", name]));
            assert!(found.contains("Н. Н. Н.") && found.contains("confirmed"), "{found}");
            assert!(!found.contains("Надія") && !found.contains(phone) && !found.contains("NOTAR30001"), "{found}");
        }
        assert_eq!(said(&cabinet(&app, &["notary", "find", "Іванна"])), "No account fits.\n");
        // Names and telephones may stay out of the command line.
        for (arguments, line) in [(["notary", "find", "-"], "надія\n"), (["notary", "show", "-"], "+380671234567\n")] {
            let read = said(&cabinet_reading(&app, &arguments, line));
            assert!(read.contains("Н. Н. Н.") && !read.contains(phone), "{read}");
        }
        let of_phone = cabinet_reading(&app, &["order", "find", "--phone", "-", "--json"], "067 123 45 67\n");
        assert!(said(&of_phone).contains("\"orders\": []"), "{of_phone:?}");
        let nothing = cabinet_reading(&app, &["notary", "find", "-"], "");
        assert!(String::from_utf8_lossy(&nothing.stderr).contains("standard input has no line"), "{nothing:?}");
        assert!(complained(&cabinet(&app, &["notary", "find", "на"]))[0].contains("at least three letters"));
    }

    async fn somebody_at_a_terminal_is_asked_for_the_status_of_a_notary(app: TestApp) {
        let phone = "+380671234567";
        let nadiia = app.anonymous();
        let body = json!({ "full_name": "Нова Надія Назарівна", "phone": phone, "registry_identifier": "NOTAR30001", "is_agreed": true });
        let started = nadiia.post("/auth/sign-up", body).await.ok();
        let code = app.outside().code(phone);
        nadiia.post("/auth/sign-up/verify", json!({ "otp_code": code, "operation_id": started["operation_id"] })).await.ok();
        let mut asking = command_on(&app, env!("CARGO_BIN_EXE_cabinet"));
        asking.args(["notary", "confirm", phone, "--reason", "Наказ"]);
        let (went, told) = at_terminal(&asking, "state");
        assert!(went && told.contains("Is she a private or a state notary?") && told.contains("The notary's status is state now."), "{told}");
        assert_eq!(app.number("select count(*) from notaries where notary_status = 'state'".to_owned()).await, 1);
    }


    async fn a_change_of_an_account_is_named_and_says_what_it_changed(app: TestApp) {
        let olena = app.notary("olena").await;
        let set_for = |why: &str, more: &[&str]| cabinet(&app, &[&["notary", "set", olena.phone(), "--reason", why][..], more].concat());
        let set = |more: &[&str]| set_for("call of 28.11, proved by the certificate", more);
        let refused = complained(&set(&[])).join("\n");
        assert!(["--login-step", "--new-flow", "--end-sessions"].iter().all(|option| refused.contains(option)), "{refused}");
        assert_eq!(said(&set(&["--login-step", "phone_call", "--new-flow", "false"])), "The account logs in by phone_call now.\n\
            Its payments begin on the acquirer's page now.\nIts owner is told.\n");
        app.work().await;
        let told = app.outside().messages(olena.phone()).swap_remove(0);
        assert!(told.starts_with("Кабінет нотаріуса: служба підтримки змінила налаштування (") && told.contains("): вхід за дзвінком, оплата одразу на сторінці банку. Не просили про це?"), "{told}");
        assert_eq!(said(&set(&["--end-sessions"])), "Its sessions have ended, and its browsers are forgotten.\nIts owner is told.\n");
        // Without a reason nothing is changed.
        assert!(complained(&cabinet(&app, &["notary", "set", olena.phone(), "--login-step", "custom"])).concat().contains("--reason"));
        assert!(complained(&set_for(" ", &["--login-step", "custom"])).concat().contains("--reason"));
        let trail = said(&cabinet(&app, &["audit", "show", "--notary", olena.phone()]));
        let event = trail.lines().find(|line| line.contains("login_step_changed")).unwrap();
        assert!(event.contains("otp → phone_call; operator_reason: call of 28.11, proved by the certificate"), "{event}");
        assert!(!trail.contains("custom"), "{trail}");
        assert_eq!(complained(&set(&["--login-step", "letter"])), ["cabinet: --login-step: otp, phone_call or custom"]);
    }
}
