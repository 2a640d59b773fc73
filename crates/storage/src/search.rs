//! Searching in folded text.

/// The most words of a search that are used.
pub(crate) const SEARCH_WORDS_MAX: usize = 8;

/// Returns a `like` pattern for each word of a folded search.
pub(crate) fn patterns(folded: &str) -> Vec<String> {
    folded
        .split(' ')
        .map(|word| word.trim_start_matches(['№', '#']))
        .filter(|word| !word.is_empty())
        .take(SEARCH_WORDS_MAX)
        .map(pattern)
        .collect()
}

/// Returns a `like` pattern for a text anywhere, with special characters escaped by `\`.
pub(crate) fn pattern(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%");
    format!("%{}%", text.replace('_', "\\_"))
}
