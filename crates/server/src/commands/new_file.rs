//! Files that commands write: they name people.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A file that did not exist and that nobody else may read. It is made before what it will have is recorded, so that nothing is recorded for
/// want of a file, and gone again unless it was filled.
pub struct NewFile {
    path: PathBuf,
    file: File,
    is_filled: bool,
}

impl NewFile {
    /// Makes the file.
    ///
    /// # Errors
    /// It exists, or can't be made.
    pub fn make(path: &Path) -> anyhow::Result<NewFile> {
        let mut options = File::options();
        let file = options.write(true).create_new(true).mode(0o600).open(path);
        Ok(NewFile {
            path: path.to_owned(),
            file: file.with_context(|| format!("{} can't be made", path.display()))?,
            is_filled: false,
        })
    }

    /// Writes what the file has.
    ///
    /// # Errors
    /// It can't be written.
    pub fn fill(mut self, content: &[u8]) -> anyhow::Result<()> {
        let written = self.file.write_all(content);
        written
            .and_then(|()| self.file.sync_all())
            .with_context(|| format!("{} can't be written", self.path.display()))?;
        self.is_filled = true;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_filled {
            // Whoever reads the error sees to what is left.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
