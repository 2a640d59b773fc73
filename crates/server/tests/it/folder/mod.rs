//! A folder that goes with the test.

#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A new temporary folder. It is removed on drop.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("cabinet_server_{}_{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // A process that was killed has left its folder, and its number is used again.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
