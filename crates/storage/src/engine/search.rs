//! Searching in folded text.

/// The most words of a search that are used.
pub(crate) const SEARCH_WORDS_MAX: usize = 8;

/// Returns the words of a folded search.
pub(crate) fn words(folded: &str) -> Vec<String> {
    folded
        .split(' ')
        .map(|word| word.trim_start_matches(['№', '#']))
        .filter(|word| !word.is_empty())
        .take(SEARCH_WORDS_MAX)
        .map(str::to_owned)
        .collect()
}

/// Returns a `like` pattern for a text anywhere, with special characters escaped by `\`.
pub(crate) fn pattern(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%");
    format!("%{}%", text.replace('_', "\\_"))
}
