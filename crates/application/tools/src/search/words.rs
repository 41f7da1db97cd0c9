//! Text as words: identifiers taken apart, lower case, without what every sentence has.
//!
//! Tools and queries pass through the same door, so that what is split in one is split in the other.

/// A longer word is no word; of a hash or a data block its beginning will do.
const LONGEST: usize = 40;

/// A word as found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    /// What stands between two separators.
    Whole(&'a str),
    /// A part of the whole word before it: `create` in `createIssue`, `sha` in `sha256`.
    Part(&'a str),
}

/// Hands out the words of `text`, lower case, until `take` has had enough. A word of several parts comes whole, then in
/// parts (in parts alone where it is endless, or of a script without spaces); `snake_case`, `kebab-case` and `dots.between` are separate words.
pub(crate) fn for_each_word(text: &str, mut take: impl FnMut(Word<'_>) -> Wanted) {
    let mut lower = String::new();
    for run in text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let is_one = (Parts { rest: run }).next().is_some_and(|first| first.len() == run.len());
        let comes_whole = is_one || run.len() <= LONGEST && is_spelled(run);
        if comes_whole && take(Word::Whole(lowered(run, &mut lower))) == Wanted::Enough {
            return;
        }
        for part in (Parts { rest: run }).filter(|part| !is_one && !is_crumb(part)) {
            let part = lowered(part, &mut lower);
            let word = if comes_whole { Word::Part(part) } else { Word::Whole(part) };
            if take(word) == Wanted::Enough {
                return;
            }
        }
    }
}

/// Whether more words are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    More,
    Enough,
}

fn lowered<'a>(word: &str, lower: &'a mut String) -> &'a str {
    lower.clear();
    lower.extend(word.chars().take(LONGEST).flat_map(char::to_lowercase));
    lower
}

/// The parts of one word: at a change from small to capital letters, between letters and digits, around each ideograph.
struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest;
        let mut letters = rest.char_indices().peekable();
        let (_, mut before) = letters.next()?;
        while let Some((at, letter)) = letters.next() {
            let after = letters.peek().map(|(_, after)| *after);
            if is_seam(before, letter, after) {
                let (part, rest) = rest.split_at(at);
                self.rest = rest;
                return Some(part);
            }
            before = letter;
        }
        self.rest = "";
        Some(rest)
    }
}

fn is_seam(before: char, letter: char, after: Option<char>) -> bool {
    let is_small = |letter: char| letter.is_lowercase();
    before.is_numeric() != letter.is_numeric()
        || is_ideograph(before)
        || is_ideograph(letter)
        || is_small(before) && letter.is_uppercase()
        // The last capital of `HTTPServer` begins a word.
        || before.is_uppercase() && letter.is_uppercase() && after.is_some_and(is_small)
}

/// A single letter or digit says nothing apart from the word it stands in; an ideograph does.
fn is_crumb(part: &str) -> bool {
    let mut letters = part.chars();
    let first = letters.next();
    letters.next().is_none() && !first.is_some_and(is_ideograph)
}

/// Scripts without spaces have no whole words for us.
fn is_spelled(run: &str) -> bool {
    !run.chars().any(is_ideograph)
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether a word is in every other sentence.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// In order, for a quick look.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but",
    "by", "can", "could", "did", "do", "does", "each", "for", "from", "give", "had", "has", "have",
    "he", "help", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "let", "like", "ll", "may", "me", "must", "my", "need", "needs", "of", "on", "onto",
    "or", "our", "out", "please", "re", "s", "shall", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "tool", "tools", "up", "us", "use", "used", "uses", "using", "ve", "via", "want",
    "wants", "was", "we", "were", "what", "when", "where", "whether", "which", "who", "whose",
    "will", "with", "within", "would", "you", "your",
];

#[cfg(test)]
mod tests;
