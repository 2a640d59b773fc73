//! An estimate of how hard a secret is to guess. It finds secrets that people make up; it can't prove that one is random.

use std::collections::BTreeSet;

/// Least estimate of an accepted secret, in tenths of a bit.
const STRENGTH_MIN: usize = 1_000;
/// Least number of different characters.
const DIFFERENT_MIN: usize = 10;
/// A character of a word, in tenths of a bit.
const IN_A_WORD: usize = 30;
/// A word that everybody tries, in tenths of a bit.
const USUAL_WORD: usize = 50;
/// A separator between words, in tenths of a bit.
const SEPARATOR: usize = 10;
/// Longest run of letters that is taken for a word.
const WORD_CHARS_MAX: usize = 12;

/// Words that stand in secrets that people make up, and rows of the keyboard.
const USUAL_WORDS: [&str; 27] = [
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwerty",
    "йцукен",
    "secret",
    "password",
    "passphrase",
    "notary",
    "cabinet",
    "production",
    "sandbox",
    "change",
    "replace",
    "example",
    "default",
    "master",
    "private",
    "token",
    "admin",
    "super",
    "server",
    "random",
    "characters",
    "test",
    "demo",
    "key",
];

/// Returns whether a secret is likely to be random. Each character counts as one of its alphabet, and for nothing where it follows from
/// those before it.
pub fn is_strong(secret: &str) -> bool {
    let chars: Vec<char> = secret.chars().collect();
    let different = chars.iter().collect::<BTreeSet<_>>().len();
    different >= DIFFERENT_MIN && strength(&chars, different) >= STRENGTH_MIN
}

/// Returns the estimate, in tenths of a bit.
fn strength(chars: &[char], different: usize) -> usize {
    let lower: Vec<char> = chars
        .iter()
        .flat_map(|char| char.to_lowercase().next())
        .collect();
    let separator = separator(chars);
    let is_hexadecimal = chars
        .iter()
        .all(|char| char.is_ascii_hexdigit() || Some(*char) == separator);
    let one = bits(alphabet(chars, is_hexadecimal).min(2 * different));
    let mut sum = 0;
    let mut index = 0;
    while index < chars.len() {
        if let Some(word) = usual_word(&lower, index) {
            sum += USUAL_WORD;
            index += word;
            continue;
        }
        let run = run_of_letters(chars, index);
        let is_word = !is_hexadecimal
            && run <= WORD_CHARS_MAX
            && (run >= 3 || (run > 0 && separator.is_some()));
        let end = index + run.max(1);
        let value_of = |(place, char): (usize, &char)| {
            if follows(&lower, place) {
                0
            } else if is_word {
                IN_A_WORD.min(one)
            } else if Some(*char) == separator {
                SEPARATOR
            } else {
                one
            }
        };
        let places = chars.iter().enumerate().take(end).skip(index);
        sum += places.map(value_of).sum::<usize>();
        index = end;
    }
    sum
}

/// Returns the character that stands between words: it is there at least three times.
fn separator(chars: &[char]) -> Option<char> {
    ['-', '_', ' ', '.']
        .into_iter()
        .find(|separator| chars.iter().filter(|char| *char == separator).count() >= 3)
}

/// Returns the length of the usual word that begins here.
fn usual_word(lower: &[char], index: usize) -> Option<usize> {
    let rest = lower.get(index..)?;
    USUAL_WORDS
        .iter()
        .find(|word| {
            rest.len() >= word.len() && word.chars().zip(rest).all(|(one, other)| one == *other)
        })
        .map(|word| word.len())
}

/// Returns the length of the run of letters that begins here: small ones, of which the first may be a capital, or capitals.
fn run_of_letters(chars: &[char], index: usize) -> usize {
    let rest = chars.get(index..).unwrap_or_default();
    let run =
        |is: fn(&char) -> bool, skip: usize| rest.iter().skip(skip).take_while(|c| is(c)).count();
    let small = |skip| run(|char| char.is_lowercase(), skip);
    match rest.first() {
        Some(first) if first.is_uppercase() => run(|char| char.is_uppercase(), 0).max(1 + small(1)),
        _ => small(0),
    }
}

/// Returns whether a character follows from those before it: it goes on with a sequence such as `aaa`, `abc` or `321`, or it ends
/// three characters that stood before.
fn follows(lower: &[char], index: usize) -> bool {
    let Some([first, second, third]) = index
        .checked_sub(2)
        .and_then(|start| lower.get(start..=index))
        .and_then(|three| <[char; 3]>::try_from(three).ok())
    else {
        return false;
    };
    let step = |from: char, to: char| i64::from(u32::from(to)) - i64::from(u32::from(from));
    let steps = (step(first, second), step(second, third));
    if steps.0 == steps.1 && steps.0.abs() <= 1 {
        return true;
    }
    lower[..index]
        .windows(3)
        .any(|three| three == [first, second, third])
}

/// Returns the size of the alphabet that the characters are taken from.
fn alphabet(chars: &[char], is_hexadecimal: bool) -> usize {
    let has = |is: fn(&char) -> bool, size: usize| if chars.iter().any(is) { size } else { 0 };
    if is_hexadecimal && chars.iter().any(char::is_ascii_alphabetic) {
        return 16;
    }
    has(char::is_ascii_digit, 10)
        + has(char::is_ascii_lowercase, 26)
        + has(char::is_ascii_uppercase, 26)
        + has(|char| !char.is_ascii_alphanumeric(), 33)
}

/// Returns the binary logarithm of a size, in tenths.
fn bits(size: usize) -> usize {
    let power = (size as u128).saturating_pow(10);
    power.checked_ilog2().unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::is_strong;

    #[test]
    fn secrets_that_people_make_up_are_refused() {
        for secret in [
            "",
            "short",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "abababababababababababababababab",
            "0123456789012345678901234567890123456789",
            "0123456789abcdef0123456789abcdef",
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "00000000000000000000000000000001",
            "10110010011101010011011101001010110101001110",
            "secretsecretsecretsecretsecretsecret",
            "sandbox-secret-key-worth-nothing-at-all",
            "a-secret-key-of-at-least-32-characters",
            "a secret of thirty-two characters or more",
            "MySuperSecretNotaryCabinetKey2026!",
            "ChangeMeChangeMeChangeMeChangeMe1!",
            "notary-cabinet-production-key-2026",
            "qwertyuiopasdfghjklzxcvbnm1234567890",
            "P@ssw0rdP@ssw0rdP@ssw0rdP@ssw0rd",
            "паролькабінетупаролькабінетупароль",
        ] {
            assert!(!is_strong(secret), "{secret}");
        }
    }

    #[test]
    fn secrets_of_the_usual_tools_are_accepted() {
        let mut random = StdRng::seed_from_u64(1);
        let mut text = |alphabet: &str, length: usize| -> String {
            let alphabet: Vec<char> = alphabet.chars().collect();
            let mut one = || alphabet[random.random_range(0..alphabet.len())];
            (0..length).map(|_| one()).collect()
        };
        let small = "abcdefghijklmnopqrstuvwxyz0123456789";
        let any = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let (url, plain) = (format!("{any}-_"), format!("{any}+/"));
        for _ in 0..2_000 {
            for (alphabet, length) in [
                // openssl rand -hex 16, openssl rand -hex 32
                ("0123456789abcdef", 32),
                ("0123456789ABCDEF", 64),
                // cabinet keys new, openssl rand -base64 32
                (url.as_str(), 43),
                (plain.as_str(), 43),
                // password generators
                (any, 32),
                (small, 40),
            ] {
                let secret = text(alphabet, length);
                assert!(is_strong(&secret), "{secret}");
            }
        }
        assert!(is_strong("f47ac10b-58cc-4372-a567-0e02b2c3d479"));
    }
}
