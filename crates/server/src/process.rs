//! Figures of the process for the metrics, as the Linux kernel tells them in `/proc`. Elsewhere only the start is known.

use std::sync::LazyLock;

use cabinet_metrics::{
    PROCESS_CPU, PROCESS_FILES, PROCESS_FILES_MAX, PROCESS_RESIDENT, PROCESS_START,
    PROCESS_THREADS, PROCESS_VIRTUAL, Written,
};

use crate::environment;

/// Ticks of a second in `/proc`. The kernel has told 100 on every architecture since 2.6, whatever its own clock is.
const TICKS: f64 = 100.0;

/// When the process began to count, in seconds since 1970. `/proc` has it only beside the files of other processes, which a service may
/// not be allowed to see.
static STARTED: LazyLock<f64> = LazyLock::new(|| environment::now().as_second() as f64);

/// Notes that the process has started.
pub fn note_start() {
    LazyLock::force(&STARTED);
}

/// Writes the figures of this process. What can't be read is left out.
pub fn write(text: &mut String) {
    let stat = read("/proc/self/stat").unwrap_or_default();
    let status = read("/proc/self/status").unwrap_or_default();
    let figures: [(&Written, Option<f64>); 7] = [
        (&PROCESS_CPU, cpu_seconds(&stat)),
        (&PROCESS_FILES, open_files()),
        (
            &PROCESS_FILES_MAX,
            read("/proc/self/limits").and_then(|limits| files_max(&limits)),
        ),
        (&PROCESS_RESIDENT, bytes(&status, "VmRSS:")),
        (&PROCESS_VIRTUAL, bytes(&status, "VmSize:")),
        (&PROCESS_THREADS, number(&status, "Threads:")),
        (&PROCESS_START, Some(*STARTED)),
    ];
    for (metric, figure) in figures {
        if let Some(figure) = figure {
            metric.write(text, &[], figure);
        }
    }
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Returns a field of `/proc/self/stat` by its number in proc(5). The second field may hold spaces and brackets.
fn field(stat: &str, number: usize) -> Option<f64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name
        .split_whitespace()
        .nth(number.checked_sub(3)?)?
        .parse()
        .ok()
}

#[expect(clippy::float_arithmetic, reason = "a figure for a person, no sum")]
fn cpu_seconds(stat: &str) -> Option<f64> {
    Some((field(stat, 14)? + field(stat, 15)?) / TICKS)
}

fn open_files() -> Option<f64> {
    // The listing itself has one open, too.
    let count = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(count.saturating_sub(1) as f64)
}

fn files_max(limits: &str) -> Option<f64> {
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

/// Returns the number behind a name at the beginning of a line.
fn number(text: &str, name: &str) -> Option<f64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::float_arithmetic, reason = "a figure for a person, no sum")]
fn bytes(status: &str, name: &str) -> Option<f64> {
    Some(number(status, name)? * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_proc_describes_them() {
        let stat = "17 (odd) name)) S 1 17 17 0 -1 4194560 9 0 0 0 250 50 0 0 20 0 12 0 4200 900000 55 18446744073709551615";
        assert_eq!(cpu_seconds(stat), Some(3.0));
        let status = "Name:\tcabinet\nVmSize:\t    2048 kB\nVmRSS:\t      10 kB\nThreads:\t12\n";
        assert_eq!(bytes(status, "VmRSS:"), Some(10_240.0));
        assert_eq!(number(status, "Threads:"), Some(12.0));
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max open files            1024                 1048576              files\n";
        assert_eq!(files_max(limits), Some(1024.0));
        assert_eq!(cpu_seconds("nothing"), None);
    }

    #[test]
    fn this_process_has_every_figure() {
        let mut text = String::new();
        write(&mut text);
        for name in [
            "process_cpu_seconds_total",
            "process_open_fds",
            "process_max_fds",
            "process_resident_memory_bytes",
            "process_virtual_memory_bytes",
            "process_threads",
            "process_start_time_seconds",
        ] {
            let found = text.lines().find_map(|line| {
                let value = line.strip_prefix(name)?.strip_prefix(' ')?;
                value.parse::<f64>().ok()
            });
            assert!(found.is_some(), "{name}: {text}");
        }
    }
}
