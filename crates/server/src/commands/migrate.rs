//! `cabinet migrate`.

use anyhow::Context;
use cabinet_storage::{MigrationPlan, PlannedStep, StepKind};
use serde_json::{Value, json};

use crate::settings::Settings;
use crate::{console, environment, wiring};

/// Fewer rows than this are read or written in a moment.
const ROWS_OF_A_MOMENT: u64 = 100_000;

/// Migrates the database. A missing SQLite file is made.
///
/// # Errors
/// Returns an error when the database can't be migrated.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let store = wiring::open_or_make_store(&settings).await?;
    let applied = store
        .migrate(environment::now())
        .await
        .context("the database can't be brought to this version")?;
    console::print(&match applied.as_slice() {
        [] => "The database has nothing to migrate.\n".to_owned(),
        [one] => format!("Migration {one} was applied: the database has this program's version.\n"),
        many => format!(
            "{} migrations were applied: the database has this program's version.\n",
            many.len()
        ),
    });
    store.close().await;
    Ok(())
}

/// Prints what migrating would do, and changes nothing.
///
/// # Errors
/// Returns an error when the database can't be read, or has a schema on which this program can't work.
pub async fn plan(settings: Settings, as_json: bool) -> anyhow::Result<()> {
    let is_sqlite = settings.database_url.is_sqlite();
    let plan = if settings
        .database_url
        .sqlite_path()
        .is_some_and(wiring::is_missing)
    {
        MigrationPlan::of_nothing()
    } else {
        wiring::check_encryption(&settings)?;
        let store = wiring::open_to_look(&settings)
            .await
            .context("the database can't be opened")?;
        let plan = store.migration_plan().await?;
        store.close().await;
        plan
    };
    console::print(&if as_json {
        format!("{:#}\n", plan_json(&plan, is_sqlite))
    } else {
        plan_text(&plan, is_sqlite)
    });
    Ok(())
}

fn plan_text(plan: &MigrationPlan, is_sqlite: bool) -> String {
    let mut text = match (&plan.newer, plan.database) {
        (Some(newer), _) => format!("Nothing to migrate: {newer}.\n"),
        (None, _) if plan.steps.is_empty() => {
            format!(
                "Nothing to migrate: the database has schema {}, as this program.\n",
                plan.database
            )
        }
        (None, 0) => format!(
            "There is no database yet. `cabinet migrate` makes it with schema {}:\n",
            plan.program
        ),
        (None, database) => format!(
            "The database has schema {database}. `cabinet migrate` brings it to {}:\n",
            plan.program
        ),
    };
    for (step, transaction) in plan.steps.iter().zip(transactions(plan)) {
        text.push_str(&format!(
            "  {}  {}  {}\n",
            step.name,
            match (step.kind, transaction) {
                (StepKind::Transaction, number) => format!("transaction {}", number.unwrap_or(1)),
                (StepKind::Index, _) => "index by itself".to_owned(),
                (StepKind::Batches, _) => "in many short transactions".to_owned(),
            },
            consequence(step, is_sqlite),
        ));
    }
    if let Some(oldest) = plan.steps.iter().map(|step| step.oldest_program).max() {
        text.push_str(&format!(
            "After that, programs that know schema {oldest} or later can work on the database.\nNothing was changed.\n"
        ));
    }
    text
}

/// Returns the number of each step's transaction. Neighbours share one, so they are applied together or not at all.
fn transactions(plan: &MigrationPlan) -> Vec<Option<usize>> {
    let mut number = 0;
    let mut before = None;
    let mut all = Vec::new();
    for step in &plan.steps {
        if step.kind == StepKind::Transaction && before != Some(StepKind::Transaction) {
            number += 1;
        }
        all.push((step.kind == StepKind::Transaction).then_some(number));
        before = Some(step.kind);
    }
    all
}

/// Returns who waits while a step is run.
fn blocks(step: &PlannedStep, is_sqlite: bool) -> &'static str {
    match (is_sqlite, step.kind) {
        _ if step.kind == StepKind::Transaction && step.tables.is_empty() => "nothing",
        (true, StepKind::Transaction | StepKind::Index) => "writes",
        (false, StepKind::Transaction) => "tables",
        (_, StepKind::Batches) | (false, StepKind::Index) => "nothing",
    }
}

fn consequence(step: &PlannedStep, is_sqlite: bool) -> String {
    let tables = step.tables.iter();
    let named: Vec<String> = tables
        .map(|table| format!("{} ({} rows)", table.name, table.rows))
        .collect();
    let who = match blocks(step, is_sqlite) {
        "nothing" => "nobody waits",
        "writes" => "whoever writes waits",
        _ => "whoever uses these tables waits",
    };
    let rows: u64 = step.tables.iter().map(|table| table.rows).sum();
    let how_long = match (named.is_empty(), rows < ROWS_OF_A_MOMENT) {
        (true, _) => return format!("new tables only; {who}"),
        (false, true) => "a moment",
        (false, false) => "how long grows with the rows: try it on a copy",
    };
    format!("{}; {who}; {how_long}", named.join(", "))
}

fn plan_json(plan: &MigrationPlan, is_sqlite: bool) -> Value {
    let steps = plan
        .steps
        .iter()
        .zip(transactions(plan))
        .map(|(step, transaction)| {
            let tables = step.tables.iter();
            let tables: Vec<Value> = tables
                .map(|table| json!({ "name": table.name, "rows": table.rows }))
                .collect();
            json!({
                "number": step.number,
                "name": step.name,
                "runs": match step.kind {
                    StepKind::Transaction => "transaction",
                    StepKind::Index => "index",
                    StepKind::Batches => "batches",
                },
                "transaction": transaction,
                "tables": tables,
                "blocks": blocks(step, is_sqlite),
                "oldest_program": step.oldest_program,
            })
        });
    json!({
        "database": plan.database,
        "program": plan.program,
        "newer_program": plan.newer.as_ref().map(|newer| &newer.applied_by),
        "steps": steps.collect::<Vec<_>>(),
    })
}
