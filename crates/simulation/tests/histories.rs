//! Histories that run in every test. A failure names its seed: `scripts/simulate --seed SEED` shows what happened.

use std::ops::Range;

use cabinet_simulation::{Ended, Engine, STEPS, Simulation};

fn run(engine: Engine, seeds: Range<u64>) {
    let simulation = Simulation::new(engine);
    let mut broken = Vec::new();
    for seed in seeds {
        let ended = simulation.run(seed, STEPS);
        broken.extend(
            ended
                .broken
                .iter()
                .map(|text| format!("seed {seed}: {text}")),
        );
    }
    assert!(
        broken.is_empty(),
        "{} promises are broken; scripts/simulate --seed SEED shows how:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

#[test]
fn postgres_first_sixty() {
    run(Engine::Postgres, 0..60);
}

#[test]
fn sqlite_first_quarter() {
    run(Engine::Sqlite, 0..250);
}

#[test]
fn sqlite_second_quarter() {
    run(Engine::Sqlite, 250..500);
}

#[test]
fn sqlite_third_quarter() {
    run(Engine::Sqlite, 500..750);
}

#[test]
fn sqlite_last_quarter() {
    run(Engine::Sqlite, 750..1_000);
}

fn replay(engine: Engine) {
    let (one, other) = (Simulation::new(engine), Simulation::new(engine));
    other.change_plans();
    for seed in 0..8 {
        assert_same(&one.run(seed, STEPS), &other.run(seed, STEPS));
    }
}

#[test]
fn a_seed_gives_the_same_history_each_time_on_sqlite() {
    replay(Engine::Sqlite);
}

#[test]
fn a_seed_gives_the_same_history_each_time_on_postgres() {
    replay(Engine::Postgres);
}

fn assert_same(one: &Ended, other: &Ended) {
    let longer = one.trace.len().max(other.trace.len());
    let line = |ended: &Ended, number| ended.trace.get(number).cloned();
    let different = (0..longer).find(|number| line(one, *number) != line(other, *number));
    if let Some(number) = different {
        panic!(
            "seed {}, line {}: {:?}, then {:?}",
            one.seed,
            number + 1,
            line(one, number),
            line(other, number)
        );
    }
}
