//! Words that stand for one another when people talk about software: what one server calls `remove` is `delete` in the
//! next, and `rm` to whoever asks.
//!
//! The table is for the field as a whole. It is no place for the words of one server: whoever misses a word adds it where
//! people in general would understand it.

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use super::stem::stem;

/// What `term` (a stem) may also be called, as stems, in order.
pub(crate) fn synonyms(term: &str) -> &'static [String] {
    static TABLE: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(table);
    TABLE.get(term).map_or(&[], Vec::as_slice)
}

fn table() -> HashMap<String, Vec<String>> {
    let mut sets: HashMap<String, BTreeSet<String>> = HashMap::new();
    for group in VERBS.iter().chain(NOUNS) {
        let stems: Vec<String> = group.split(' ').map(stem).collect();
        for one in &stems {
            let others = stems.iter().filter(|other| *other != one).cloned();
            sets.entry(one.clone()).or_default().extend(others);
        }
    }
    for (short, long) in SHORT_FORMS {
        sets.entry(stem(short)).or_default().extend(long.split(' ').map(stem));
    }
    sets.into_iter().map(|(term, others)| (term, others.into_iter().collect())).collect()
}

/// Each word of a group for each other.
const VERBS: &[&str] = &[
    "list ls enumerate show browse",
    "get fetch retrieve show view display read obtain",
    "read view open cat content",
    "describe detail info information inspect explain",
    "delete remove rm drop destroy erase unlink discard trash",
    "clear empty wipe purge flush reset",
    "delete purge wipe",
    "create add new make insert open",
    "create generate produce",
    "append attach insert",
    "register enroll signup",
    "update edit modify change patch alter set adjust",
    "set assign configure",
    "replace substitute swap",
    "rename move mv",
    "move transfer relocate migrate",
    "copy cp duplicate clone replicate",
    "clone fork checkout",
    "search find query lookup grep locate filter",
    "send post publish deliver dispatch submit",
    "write save store put persist",
    "notify alert warn ping remind",
    "run execute invoke call perform launch trigger exec",
    "start begin launch boot spawn",
    "stop halt kill terminate end abort cancel shutdown",
    "pause suspend hold freeze snooze",
    "resume continue unpause",
    "restart reboot reload",
    "upload push put",
    "download pull fetch save",
    "export dump extract download",
    "import load ingest",
    "merge combine join concatenate",
    "split divide separate",
    "compare diff difference",
    "count total number tally",
    "sum total aggregate",
    "convert transform change",
    "translate localize",
    "compress zip archive pack shrink",
    "extract unzip decompress unpack",
    "check verify validate test",
    "check status state health",
    "approve accept confirm sign",
    "reject deny decline refuse",
    "block ban deny mute",
    "allow permit grant authorize share",
    "revoke withdraw remove",
    "close finish complete resolve solve end",
    "assign delegate",
    "schedule plan book reserve arrange",
    "cancel revoke undo",
    "subscribe follow watch",
    "unsubscribe unfollow",
    "invite add",
    "reply respond answer comment",
    "tag label mark categorize",
    "restore recover undelete",
    "undo revert rollback restore",
    "build compile make",
    "deploy release ship rollout",
    "install setup add",
    "uninstall remove",
    "upgrade update bump",
    "monitor watch observe track tail",
    "enable activate on",
    "disable deactivate off",
    "connect link join",
    "disconnect unlink detach",
    "synchronize sync refresh",
    "summarize summary digest recap overview",
    "analyze analyse analysis inspect examine",
    "render draw plot",
    "crawl scrape",
    "browse navigate visit goto open",
    "click press tap",
    "type fill enter input",
    "capture screenshot snapshot",
    "login signin authenticate",
    "logout signout",
    "scale resize grow",
    "pay charge bill",
    "refund reimburse",
    "buy purchase order",
    "calculate compute",
    "sort order rank",
    "look see view",
    "transcribe transcript",
];

const NOUNS: &[&str] = &[
    "file document",
    "folder directory dir",
    "picture image photo img",
    "video movie clip",
    "audio sound",
    "repository repo",
    "issue ticket bug",
    "task todo job",
    "person user member people",
    "user account profile",
    "customer client",
    "contact person",
    "employee staff",
    "team group",
    "email mail",
    "message msg chat text",
    "channel room conversation",
    "page site website",
    "web internet online",
    "url link address",
    "database db",
    "spreadsheet sheet workbook",
    "row record entry",
    "column field attribute",
    "configuration config setting preference option",
    "environment env",
    "variable var",
    "secret credential password token",
    "permission access right role",
    "machine server host node instance vm",
    "container docker",
    "process job",
    "event meeting appointment calendar",
    "weather forecast",
    "price cost quote rate",
    "invoice bill receipt",
    "payment charge transaction",
    "product item article",
    "stock inventory",
    "error exception failure crash",
    "broken failed failing",
    "metric statistic stat measurement",
    "log history trail",
    "commit revision changeset",
    "version release",
    "script program code",
    "command cmd shell terminal",
    "location place geo",
    "route direction",
    "flight trip travel",
    "hotel accommodation lodging",
    "chart graph plot",
    "schema structure definition",
    "latest recent newest last current",
    "annotation comment note",
    "reminder alarm",
    "alert alarm warning",
    "size usage",
    "definition meaning",
];

/// The short for the long, one way: whoever says `request` does not mean a pull request.
const SHORT_FORMS: &[(&str, &str)] = &[
    ("pr", "pull request"),
    ("mr", "merge request"),
    ("dm", "direct message"),
    ("k8s", "kubernetes"),
    ("postgres", "postgresql"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("pwd", "directory current"),
    ("mkdir", "directory create"),
    ("rmdir", "directory remove"),
    ("ps", "process list"),
    ("who", "user"),
    ("where", "location"),
    ("docs", "documentation"),
    ("auth", "authentication authorization"),
    ("admin", "administrator"),
    ("lib", "library"),
    ("pkg", "package"),
    ("params", "parameter"),
    ("fn", "function"),
    ("ci", "pipeline build workflow"),
    ("unstage", "reset"),
];

#[cfg(test)]
mod tests;
