//! Files that a browser downloads.

/// A file to download.
pub struct DownloadFile {
    /// Its name.
    pub name: String,
    /// PDF, ZIP or XLSX.
    pub bytes: Vec<u8>,
}
