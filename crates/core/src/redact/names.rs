//! Names that say their value is a secret, told by their words: `GITHUB_TOKEN`, `clientSecret`, `x-api-key`; but not
//! `max_tokens`, `token_count`, `keyboard`.

/// A word that ends like this names a secret: `password`, `PGPASSWORD`, `authtoken`.
const ENDINGS: [&str; 15] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secrets",
    "token",
    "apikey",
    "privatekey",
    "secretkey",
    "accesskey",
    "credential",
    "credentials",
    "authorization",
];
/// Words that name a secret only when they stand for themselves.
const WHOLE: [&str; 3] = ["cookie", "cookies", "sshpass"];
/// Words that make a secret of the word `key` behind them.
const BEFORE_KEY: [&str; 11] = [
    "api",
    "private",
    "access",
    "signing",
    "encryption",
    "auth",
    "master",
    "account",
    "session",
    "subscription",
    "ssh",
];
/// Words that make a secret of the word `pass` behind them.
const BEFORE_PASS: [&str; 9] =
    ["db", "database", "user", "smtp", "mail", "ftp", "mysql", "postgres", "redis"];
/// Words behind which even a token is only counted, named or placed.
const HARMLESS_AFTER: [&str; 24] = [
    "count",
    "counts",
    "limit",
    "limits",
    "budget",
    "usage",
    "used",
    "type",
    "length",
    "len",
    "size",
    "name",
    "names",
    "policy",
    "url",
    "uri",
    "endpoint",
    "expiry",
    "expires",
    "expiration",
    "ttl",
    "index",
    "path",
    "file",
];
/// The last two letters of every word that names a secret: few other words end like one of them, and need no closer look.
const LAST_LETTERS: [&[u8; 2]; 14] = [
    b"al", b"ds", b"en", b"es", b"et", b"ey", b"ie", b"ls", b"on", b"rd", b"se", b"ss", b"ts",
    b"wd",
];
/// Headers whose whole line is the value.
const WHOLE_LINE: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/// Whether the value behind `name` is a secret.
pub fn is_sensitive(name: &str) -> bool {
    // The working directory, as every shell calls it.
    if matches!(name, "PWD" | "OLDPWD") {
        return false;
    }
    let mut before = "";
    let mut found = false;
    for word in words(name) {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        found = (found && !is_any(&HARMLESS_AFTER, word)) || names_secret(before, word);
        before = word;
    }
    found
}

/// Whether `word` makes a secret of what it names, `before` standing before it.
fn names_secret(before: &str, word: &str) -> bool {
    let Some(last) = word.as_bytes().last_chunk::<2>() else { return false };
    LAST_LETTERS.contains(&&last.map(|letter| letter.to_ascii_lowercase()))
        && (ENDINGS.iter().any(|ending| ends_with(word, ending))
            || is_any(&WHOLE, word)
            || (word.eq_ignore_ascii_case("key") && is_any(&BEFORE_KEY, before))
            || (word.eq_ignore_ascii_case("pass") && is_any(&BEFORE_PASS, before)))
}

fn is_any(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether the value behind the header `name` is the rest of its line.
pub(super) fn takes_whole_line(name: &str) -> bool {
    WHOLE_LINE.iter().any(|header| header.eq_ignore_ascii_case(name))
}

fn ends_with(word: &str, ending: &str) -> bool {
    let start = word.len().checked_sub(ending.len());
    start.and_then(|start| word.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// The words of a name in snake, camel, kebab or dotted form.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let word = rest.get(..word_length(rest)).filter(|word| !word.is_empty())?;
        rest = rest.get(word.len()..).unwrap_or_default();
        Some(word)
    })
}

fn word_length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    let mut previous = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let turns_upper = previous.is_lowercase() && letter.is_uppercase();
        // The last capital of `APIKey` begins a word of its own.
        let ends_capitals = previous.is_uppercase() && letter.is_uppercase() && next.is_lowercase();
        if !letter.is_alphanumeric() || turns_upper || ends_capitals {
            return at;
        }
        previous = letter;
    }
    text.len()
}

#[cfg(test)]
mod tests;
