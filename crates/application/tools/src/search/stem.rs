//! Light stemming of English: plurals and the endings of verbs and of nouns made from verbs.
//!
//! What is left need not be a word; it need only be the same for the forms of one word. Words of other languages and words
//! with digits stay as they are.

/// What the forms of `word` (lower case) have in common.
pub(crate) fn stem(word: &str) -> String {
    if word.len() < 4 || !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = singular(word);
    if let Some(shorter) = noun_of_verb(&stem).or_else(|| verb(&stem)) {
        stem = shorter;
    }
    let is_cut = stem.len() < word.len();
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    } else if !is_cut {
        return stem;
    }
    // British and American spelling.
    if stem.len() > 5 && stem.ends_with("is") {
        stem.replace_range(stem.len() - 1.., "z");
    }
    stem
}

fn singular(word: &str) -> String {
    if let Some(head) = word.strip_suffix("ies").filter(|head| head.len() > 1) {
        return format!("{head}y");
    }
    let sibilants = ["sses", "shes", "ches", "xes", "zzes"];
    if sibilants.iter().any(|ending| word.ends_with(ending)) {
        return word.strip_suffix("es").unwrap_or(word).to_owned();
    }
    let is_plural =
        word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if is_plural { word.strip_suffix('s').unwrap_or(word) } else { word }.to_owned()
}

/// `notification` to `notify`, `deletion` to `delet`, `deployment` to `deploy`.
fn noun_of_verb(word: &str) -> Option<String> {
    if let Some(head) = word.strip_suffix("ification") {
        return Some(format!("{head}ify"));
    }
    if let Some(head) = word.strip_suffix("isation").or_else(|| word.strip_suffix("ization")) {
        return Some(format!("{head}iz"));
    }
    if let Some(head) = word.strip_suffix("ion") {
        return (head.len() > 2 && head.ends_with(['s', 't'])).then(|| head.to_owned());
    }
    word.strip_suffix("ment").filter(|head| head.len() > 3).map(str::to_owned)
}

/// `running` to `run`, `deleted` to `delet`.
fn verb(word: &str) -> Option<String> {
    let head = match word.strip_suffix("ing") {
        Some(head) => head,
        None => word.strip_suffix("ed").filter(|head| !head.ends_with('e'))?,
    };
    let has_vowel = head.bytes().any(|letter| b"aeiouy".contains(&letter));
    if head.len() < 2 || !has_vowel {
        return None;
    }
    if word.ends_with("ied") {
        return Some(format!("{}y", head.strip_suffix('i').unwrap_or(head)));
    }
    let mut letters = head.bytes().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    let doubled = last == before && !b"aeioulsz".contains(&last);
    Some(if doubled { head.get(..head.len() - 1)?.to_owned() } else { head.to_owned() })
}

#[cfg(test)]
mod tests;
