use super::*;
use crate::testing::run_on_sqlite;

#[test]
fn a_search_reads_no_order_but_those_it_finds() {
    run_on_sqlite(|store| async move {
        let filter = OrderFilter {
            statuses: vec![OrderStatus::Paid],
            search: Some("Шевченко 4080".to_owned()),
            ..OrderFilter::default()
        };
        let plan = store
            .read(move |tx| {
                let search = Search::new(NotaryId::new(uuid::Uuid::nil()), &filter);
                let part = Part {
                    before: None,
                    since: None,
                    limit: 21,
                };
                let mut values = vec![search.notary.value()];
                let sql = search.select(
                    ("orders o", "o.created_at desc, o.id desc"),
                    &part,
                    &mut values,
                );
                tx.rows(&format!("explain query plan {sql}"), &values, |row| {
                    row.get::<String>("detail")
                })
            })
            .await
            .unwrap();
        for search in [
            "SEARCH o USING COVERING INDEX orders_by_notary (notary_id=?)",
            "SEARCH i USING COVERING INDEX order_items_by_search (order_id=?)",
        ] {
            assert!(plan.iter().any(|step| step == search), "{plan:#?}");
        }
    });
}

#[test]
fn what_means_something_in_a_pattern_is_taken_literally() {
    let patterns = |text| -> Vec<String> {
        let sought = sought(Some(text)).into_iter();
        sought.map(|one| one.pattern).collect()
    };
    assert_eq!(patterns("50%_\\"), ["%50\\%\\_\\\\%"]);
    assert_eq!(patterns("  №100001 "), ["%100001%"]);
    assert!(patterns("   ").is_empty());
    assert!(sought(None).is_empty());
}
