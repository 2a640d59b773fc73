//! Histories that run in every test. A failure names its seed: `scripts/simulate --seed SEED` shows what happened.

use std::collections::BTreeMap;
use std::ops::Range;

use cabinet_simulation::{Deed, Ended, Engine, Lie, Obstacle, STEPS, Simulation};

/// Each kind of lie of the acquirer, each obstacle of the money that leaves, and each deed with carts, links and codes must occur so often in the
/// second half of the histories alone, so that none is tried in name alone. A mark by hand is rarer.
const EACH_MIN: usize = 20;

/// How often the acquirer lied, what the money that left met, and what was done with carts, links and codes.
#[derive(Debug, Default)]
struct Met {
    lies: BTreeMap<Lie, usize>,
    obstacles: BTreeMap<Obstacle, usize>,
    deeds: BTreeMap<Deed, usize>,
}

fn run(engine: Engine, seeds: Range<u64>) -> Met {
    let mut met = Met::default();
    let simulation = Simulation::new(engine);
    let mut broken = Vec::new();
    for seed in seeds {
        let ended = simulation.run(seed, STEPS);
        for (lie, count) in &ended.lies {
            *met.lies.entry(*lie).or_default() += count;
        }
        for (obstacle, count) in &ended.obstacles {
            *met.obstacles.entry(*obstacle).or_default() += count;
        }
        for (deed, count) in &ended.deeds {
            *met.deeds.entry(*deed).or_default() += count;
        }
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
    met
}

/// Runs histories in which each kind of lie, of obstacle and of deed must occur.
fn run_with_each(engine: Engine, seeds: Range<u64>) {
    let met = run(engine, seeds);
    for lie in Lie::ALL {
        let count = met.lies.get(&lie).copied().unwrap_or_default();
        assert!(count >= EACH_MIN, "{lie:?}: {count}; {met:?}");
    }
    for obstacle in Obstacle::ALL {
        let count = met.obstacles.get(&obstacle).copied().unwrap_or_default();
        // A mark by hand needs a part that came back and that its notary wants on the card.
        let least = match obstacle {
            Obstacle::MarkedByHand => EACH_MIN / 2,
            _ => EACH_MIN,
        };
        assert!(count >= least, "{obstacle:?}: {count}; {met:?}");
    }
    for deed in Deed::ALL {
        let count = met.deeds.get(&deed).copied().unwrap_or_default();
        assert!(count >= EACH_MIN, "{deed:?}: {count}; {met:?}");
    }
}

#[test]
fn sqlite_first_half() {
    run(Engine::Sqlite, 0..120);
}

#[test]
fn sqlite_second_half() {
    run_with_each(Engine::Sqlite, 120..240);
}

#[test]
fn postgres() {
    run(Engine::Postgres, 0..20);
}

#[test]
#[ignore = "long: scripts/test long"]
fn sqlite_more() {
    run(Engine::Sqlite, 240..1_000);
}

#[test]
#[ignore = "long: scripts/test long"]
fn postgres_more() {
    run(Engine::Postgres, 20..60);
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
