//! Histories that run in every test. A failure names its seed: `scripts/simulate --seed SEED` shows what happened.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;

use cabinet_simulation::{Deed, Ended, Engine, Lie, Obstacle, Pretence, STEPS, Simulation, Theft};

/// Each kind of lie of the acquirer, each obstacle of the money that leaves, each deed with carts, links and codes, and each call of thieves with
/// each pretence must occur so often in the histories on SQLite, so that none is tried in name alone.
const EACH_MIN: usize = 20;

/// How often the acquirer lied, what the money that left met, what was done with carts, links and codes, and what thieves tried.
#[derive(Debug, Default)]
struct Met {
    lies: BTreeMap<Lie, usize>,
    obstacles: BTreeMap<Obstacle, usize>,
    deeds: BTreeMap<Deed, usize>,
    thefts: BTreeMap<Theft, usize>,
    pretences: BTreeMap<Pretence, usize>,
}

impl Met {
    fn of(ended: &Ended) -> Met {
        Met {
            lies: ended.lies.clone(),
            obstacles: ended.obstacles.clone(),
            deeds: ended.deeds.clone(),
            thefts: ended.thefts.clone(),
            pretences: ended.pretences.clone(),
        }
    }

    fn add(&mut self, more: &Met) {
        count_all(&mut self.lies, &more.lies);
        count_all(&mut self.obstacles, &more.obstacles);
        count_all(&mut self.deeds, &more.deeds);
        count_all(&mut self.thefts, &more.thefts);
        count_all(&mut self.pretences, &more.pretences);
    }
}

fn count_all<K: Copy + Ord>(all: &mut BTreeMap<K, usize>, more: &BTreeMap<K, usize>) {
    for (kind, count) in more {
        *all.entry(*kind).or_default() += count;
    }
}

/// Returns what occurred too rarely, and how often it did.
fn too_rare<K: Copy + Ord + Debug>(all: &[K], met: &BTreeMap<K, usize>) -> Vec<String> {
    let count = |kind: &K| met.get(kind).copied().unwrap_or_default();
    let rare = all.iter().filter(|kind| count(kind) < EACH_MIN);
    rare.map(|kind| format!("{kind:?}: {}", count(kind)))
        .collect()
}

fn run(engine: Engine, seeds: Range<u64>) -> Met {
    let mut met = Met::default();
    let simulation = Simulation::new(engine);
    let mut broken = Vec::new();
    for seed in seeds {
        let ended = simulation.run(seed, STEPS);
        met.add(&Met::of(&ended));
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

/// Runs two ranges of histories at once, in which each kind of lie, of obstacle, of deed and of theft must occur.
fn run_with_each(engine: Engine, one: Range<u64>, other: Range<u64>) {
    let met = std::thread::scope(|scope| {
        let beside = scope.spawn(|| run(engine, other));
        let mut met = run(engine, one);
        let other = beside
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        met.add(&other);
        met
    });
    let rare = [
        too_rare(&Lie::ALL, &met.lies),
        too_rare(&Obstacle::ALL, &met.obstacles),
        too_rare(&Deed::ALL, &met.deeds),
        too_rare(&Theft::ALL, &met.thefts),
        too_rare(&Pretence::ALL, &met.pretences),
    ];
    assert!(rare.iter().all(Vec::is_empty), "{rare:?}; {met:?}");
}

#[test]
fn sqlite() {
    run_with_each(Engine::Sqlite, 0..120, 120..240);
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
