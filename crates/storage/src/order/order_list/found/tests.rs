use super::*;
use crate::testing::{run_on_postgres, run_on_sqlite};

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
                    limit: 21,
                };
                let mut values = vec![search.notary.value()];
                let sql = search.compared_sql(&part, &mut values);
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
fn the_orders_that_the_index_names_are_looked_up_without_sorting_them() {
    run_on_postgres(|store| async move {
        let filter = OrderFilter {
            search: Some("Шевченко 4080".to_owned()),
            ..OrderFilter::default()
        };
        let plan = store
            .read(move |tx| {
                let search = Search::new(NotaryId::new(uuid::Uuid::nil()), &filter);
                let part = Part {
                    before: None,
                    limit: 21,
                };
                let (asked, between) = (search.asked(), Between::default());
                let mut values = vec![search.notary.value()];
                let sql = search.named_sql(&asked, &between, &part, &mut values);
                let session = tx.postgres().unwrap();
                session.batch("set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan")?;
                tx.rows(&format!("explain (costs off) {sql}"), &values, |row| {
                    row.next::<String>()
                })
            })
            .await
            .unwrap();
        let place = |step: &str| {
            let found = plan.iter().position(|line| line.contains(step));
            found.unwrap_or_else(|| panic!("{step}: {plan:#?}"))
        };
        // What is inside of the limit begins with the periods, each of which is asked by itself.
        let inside = &plan[place("Limit")..place("order_search_by_keys")];
        let sorts: Vec<&String> = inside
            .iter()
            .filter(|step| step.contains("Sort Key"))
            .collect();
        assert_eq!(sorts.len(), 1, "{plan:#?}");
        assert!(
            sorts[0].contains("k.created_at DESC, k.order_id DESC"),
            "{plan:#?}"
        );
        assert!(
            place("generate_series") < place("k.created_at DESC"),
            "{plan:#?}"
        );
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
