//! `cabinet archive`: old reports of the acquirer leave the database as files.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use cabinet_test_kit::{PaymentKind, complained, on_both_databases, said};
use serde_json::Value;

use crate::command::{cabinet, events};
use crate::folder::Folder;

on_both_databases! {
    async fn a_month_of_reports_is_written_found_again_and_gone(app: TestApp) {
        let olena = app.notary("olena").await;
        olena.add(PaymentKind::RegistryPayment).await;
        let order = olena.order_cart().await;
        olena.pay(&order).await;
        let reports = app.rows("acquirer_reports").await;
        assert!(reports > 0);
        let folder = Folder::new();
        let to = folder.0.to_str().unwrap();
        let take = |before: &str| cabinet(&app, &["archive", "reports", "--before", before, "--to", to, "--reason", "Щорічне впорядкування"]);

        // Nothing old, a month to come, no reason.
        assert_eq!(said(&take("2026-03")), "There are no reports before 2026-03 to take away.\n");
        assert_eq!(complained(&take("2999-01")), ["cabinet: --before: a month that has begun, for instance 2026-03"]);
        assert!(complained(&cabinet(&app, &["archive", "reports", "--before", "2026-04", "--to", to])).join("\n").contains("--reason"));

        // The transfers of the order have not arrived yet.
        let open = said(&take("2026-04"));
        assert!(open.starts_with(&format!("2026-03: stays, {reports} reports are about orders that are still open\n")), "{open}");
        assert_eq!(app.rows("acquirer_reports").await, reports);

        app.execute("update transfers set status = 'credited'".to_owned()).await;
        app.execute("update attempts set next_check_at = null".to_owned()).await;
        let file = folder.0.join("acquirer-reports-2026-03.jsonl.gz");
        assert_eq!(said(&take("2026-04")), format!("2026-03: {reports} reports, {}\n", file.display()));
        assert_eq!(app.rows("acquirer_reports").await, 0);
        assert_eq!(app.rows("acquirer_report_digests").await, reports);
        let trail = said(&cabinet(&app, &["audit", "show", "--since", "2026-01-01"]));
        assert!(trail.contains("reports_archived") && trail.contains("Щорічне впорядкування"), "{trail}");
        assert_eq!(events(&app, "100001", "order_paid").len(), 1, "what became of the order stays");

        let find = |arguments: &[&str]| cabinet(&app, &[&["archive", "find", "--from", to][..], arguments].concat());
        // The bodies name payers.
        assert!(complained(&find(&["--order", "100001", "--json"])).join("\n").contains("--reason"));
        assert!(events(&app, "100001", "personal_data_shown").is_empty());
        let found: Value = serde_json::from_str(&said(&find(&["--order", "100001", "--json", "--reason", "Запит банку, SD-9"]))).unwrap();
        let shown = events(&app, "100001", "personal_data_shown");
        assert!(shown.len() == 1 && shown[0].contains("SD-9") && shown[0].contains("list: reports"), "{shown:?}");
        assert_eq!(found.as_array().unwrap().len(), usize::try_from(reports).unwrap());
        let invoice = found[0]["invoice_id"].as_str().unwrap();
        assert!(said(&find(&["--invoice", invoice])).contains(invoice));
        assert_eq!(said(&find(&["--invoice", "nothing"])), "1 files have no such report.\n");
        assert_eq!(complained(&find(&["--order", "999999"])), ["cabinet: there is no order 999999"]);

        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(
            complained(&find(&["--order", "100001"])),
            [format!("cabinet: {} is not the file that was written: its checksum differs", file.display())]
        );
        app.finish_and_check().await;
    }
}
