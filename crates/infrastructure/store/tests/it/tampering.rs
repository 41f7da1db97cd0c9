//! A thousand changes to a log at rest, and what `verify` says to each.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use awf_store::{Note, verify};
use sha2::{Digest as _, Sha256};

use crate::{
    dice::Dice,
    sample::{open, write_calls},
};

/// A way to alter a log.
#[derive(Clone, Copy, Debug)]
enum Tampering {
    EditByte,
    EditRehashed,
    ForgeLine,
    SwapLines,
    DeleteLine,
    DeleteLastLine,
    BorrowLine,
    Truncate,
    CutBeginning,
    AppendLine,
    AppendHalfLine,
    DeleteSegment,
    PlantSegment,
    ExchangeSegments,
    SwapSegments,
    EditHeads,
    EditHeadsRehashed,
    ForgeHead,
    SwapHeads,
    DeleteHead,
    TruncateHeads,
    DeleteHeads,
}

const WAYS: [Tampering; 22] = [
    Tampering::EditByte,
    Tampering::EditRehashed,
    Tampering::ForgeLine,
    Tampering::SwapLines,
    Tampering::DeleteLine,
    Tampering::DeleteLastLine,
    Tampering::BorrowLine,
    Tampering::Truncate,
    Tampering::CutBeginning,
    Tampering::AppendLine,
    Tampering::AppendHalfLine,
    Tampering::DeleteSegment,
    Tampering::PlantSegment,
    Tampering::ExchangeSegments,
    Tampering::SwapSegments,
    Tampering::EditHeads,
    Tampering::EditHeadsRehashed,
    Tampering::ForgeHead,
    Tampering::SwapHeads,
    Tampering::DeleteHead,
    Tampering::TruncateHeads,
    Tampering::DeleteHeads,
];

/// The files of a log, as they were.
struct Original {
    /// The segments, then the heads.
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Original {
    async fn make(home: &Path) -> Self {
        for _ in 0..3 {
            let store = open(home);
            write_calls(&store, 6).await;
            store.close().unwrap();
        }
        let activity = home.join("activity");
        let segments = fs::read_dir(activity.join("segments")).unwrap();
        let mut paths: Vec<_> = segments.map(|entry| entry.unwrap().path()).collect();
        paths.sort_unstable();
        paths.push(activity.join("heads.jsonl"));
        let files = paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap()));
        Self { files: files.collect() }
    }

    fn restore(&self) {
        for (path, bytes) in &self.files {
            fs::write(path, bytes).unwrap();
        }
    }

    fn segment(&self, dice: &mut Dice) -> &(PathBuf, Vec<u8>) {
        &self.files[dice.below(self.files.len() - 1)]
    }
}

fn edit_byte(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut edited = bytes.to_vec();
    let at = dice.below(bytes.len());
    // Any other value than the one it has.
    edited[at] = edited[at].wrapping_add(u8::try_from(1 + dice.below(255)).unwrap());
    edited
}

fn with_lines<'a>(bytes: &'a [u8], change: impl FnOnce(&mut Vec<&'a [u8]>)) -> Vec<u8> {
    let mut lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    change(&mut lines);
    lines.concat()
}

/// A line whose number or text is another one, with a hash that fits it: what somebody does who knows the format.
fn edit_rehashed(bytes: &[u8], at: usize) -> Vec<u8> {
    let lines: Vec<_> = str::from_utf8(bytes).unwrap().lines().collect();
    let (body, _) = lines[at].rsplit_once(",\"hash\":").unwrap();
    // The last digit of the line's payload becomes another one; each has some.
    let digit = body.rfind(|letter: char| letter.is_ascii_digit()).unwrap();
    let other = (body.as_bytes()[digit] - b'0' + 1) % 10;
    let body = format!("{}{other}{}", &body[..digit], &body[digit + 1..]);
    let mut hash = String::new();
    for byte in Sha256::digest(&body) {
        write!(hash, "{byte:02x}").unwrap();
    }
    let line = format!("{body},\"hash\":\"{hash}\"}}");
    let edited =
        |(number, old): (usize, &&str)| if number == at { line.clone() } else { (*old).to_owned() };
    lines.iter().enumerate().map(edited).map(|line| line + "\n").collect::<String>().into_bytes()
}

/// A line of `bytes` where it was not, another line gone from where it was, or one cut away.
fn rearranged(way: Tampering, bytes: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
    Some(match way {
        Tampering::ForgeLine | Tampering::ForgeHead => with_lines(bytes, |all| {
            let forged = all[dice.below(lines)];
            all.insert(dice.below(lines), forged);
        }),
        Tampering::SwapLines | Tampering::SwapHeads => with_lines(bytes, |all| {
            let first = dice.below(lines);
            all.swap(first, (first + 1 + dice.below(lines - 1)) % lines);
        }),
        Tampering::DeleteLine | Tampering::DeleteHead => with_lines(bytes, |all| {
            all.remove(dice.below(lines - 1));
        }),
        Tampering::DeleteLastLine => with_lines(bytes, |all| all.truncate(all.len() - 1)),
        Tampering::AppendLine => with_lines(bytes, |all| all.push(all[dice.below(lines)])),
        Tampering::AppendHalfLine => [bytes, &bytes[..=dice.below(bytes.len() / lines)]].concat(),
        Tampering::Truncate => bytes[..dice.below(bytes.len())].to_vec(),
        Tampering::CutBeginning => bytes[1 + dice.below(bytes.len() - 1)..].to_vec(),
        // Without the last line alone the log is that of a killed process: see below.
        Tampering::TruncateHeads => {
            let last = bytes.split_inclusive(|byte| *byte == b'\n').next_back().unwrap().len();
            bytes[..dice.below(bytes.len() - last)].to_vec()
        }
        Tampering::EditByte | Tampering::EditHeads => edit_byte(bytes, dice),
        Tampering::EditRehashed => edit_rehashed(bytes, dice.below(lines)),
        // Nothing vouches for the newest entry but a head that was kept elsewhere.
        Tampering::EditHeadsRehashed => edit_rehashed(bytes, dice.below(lines - 1)),
        Tampering::BorrowLine
        | Tampering::DeleteSegment
        | Tampering::PlantSegment
        | Tampering::ExchangeSegments
        | Tampering::SwapSegments
        | Tampering::DeleteHeads => return None,
    })
}

/// Alters the log, and gives the file that `verify` must name; `None`: it is enough to name any.
fn tamper(original: &Original, way: Tampering, dice: &mut Dice) -> Option<PathBuf> {
    let (path, bytes) = original.segment(dice);
    let (heads, entries) = original.files.last().unwrap();
    let (other, others) = original.files.iter().find(|(other, _)| other != path).unwrap();
    match way {
        Tampering::EditHeads
        | Tampering::EditHeadsRehashed
        | Tampering::ForgeHead
        | Tampering::SwapHeads
        | Tampering::DeleteHead => {
            fs::write(heads, rearranged(way, entries, dice).unwrap()).unwrap();
            Some(heads.clone())
        }
        Tampering::TruncateHeads => {
            fs::write(heads, rearranged(way, entries, dice).unwrap()).unwrap();
            None
        }
        Tampering::DeleteHeads => {
            fs::remove_file(heads).unwrap();
            Some(path.clone())
        }
        Tampering::DeleteSegment => {
            fs::remove_file(path).unwrap();
            Some(path.clone())
        }
        Tampering::PlantSegment => {
            let planted = path.with_file_name("01JG2QZC3V8F0E4B1S5T7W9XYZ.jsonl");
            fs::write(&planted, bytes).unwrap();
            Some(planted)
        }
        Tampering::ExchangeSegments => {
            fs::write(path, others).unwrap();
            Some(path.clone())
        }
        Tampering::SwapSegments => {
            fs::write(path, others).unwrap();
            fs::write(other, bytes).unwrap();
            Some(path.clone())
        }
        Tampering::BorrowLine => {
            let borrowed = others.split_inclusive(|byte| *byte == b'\n').next().unwrap();
            let replaced = with_lines(bytes, |all| {
                let at = dice.below(all.len());
                all[at] = borrowed;
            });
            fs::write(path, replaced).unwrap();
            Some(path.clone())
        }
        _ => {
            fs::write(path, rearranged(way, bytes, dice).unwrap()).unwrap();
            Some(path.clone())
        }
    }
}

#[tokio::test]
async fn every_change_is_found_and_found_where_it_is() {
    let home = tempfile::tempdir().unwrap();
    let original = Original::make(home.path()).await;
    let mut dice = Dice::new(2026);
    for trial in 0..crate::trials(1_000, 5_000) {
        let way = WAYS[trial % WAYS.len()];
        let changed = tamper(&original, way, &mut dice);
        let report = verify(home.path()).unwrap();
        let named = |file: &Path| changed.as_ref().is_none_or(|changed| changed == file);
        assert!(
            report.findings.iter().any(|finding| named(&finding.place.file)),
            "trial {trial}, {way:?} of {changed:?}: {report:?}",
        );
        if let (Tampering::PlantSegment, Some(planted)) = (way, changed) {
            fs::remove_file(planted).unwrap();
        }
        original.restore();
        if trial % WAYS.len() == 0 {
            let intact = verify(home.path()).unwrap();
            assert_eq!((intact.findings, intact.notes), (vec![], vec![]), "trial {trial}");
            assert_eq!((intact.segments, intact.events), (3, 36));
        }
    }
}

/// What the files alone cannot prove, as the documents say; it is told all the same.
#[tokio::test]
async fn a_newest_seal_that_is_gone_is_noted() {
    let home = tempfile::tempdir().unwrap();
    let original = Original::make(home.path()).await;
    let (heads, entries) = original.files.last().unwrap();
    fs::write(heads, with_lines(entries, |all| all.truncate(all.len() - 1))).unwrap();
    let report = verify(home.path()).unwrap();
    assert_eq!(report.findings, []);
    assert!(matches!(report.notes.as_slice(), [Note::Unsealed { .. }]), "{:?}", report.notes);
}

#[tokio::test]
async fn a_change_to_a_segment_in_use_is_found_too() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    write_calls(&store, 3).await;
    let segments = home.path().join("activity/segments");
    let path = fs::read_dir(segments).unwrap().next().unwrap().unwrap().path();
    let before = fs::read(&path).unwrap();
    assert!(verify(home.path()).unwrap().is_intact());
    fs::write(
        &path,
        with_lines(&before, |all| {
            all.remove(2);
        }),
    )
    .unwrap();
    let report = verify(home.path()).unwrap();
    let finding = report.findings.first().unwrap().to_string();
    let place = format!("{}:3 (byte ", path.display());
    assert!(finding.starts_with(&place), "{finding}");
    assert!(finding.ends_with("number 3 was due, found 4"), "{finding}");
    // The writer knows what it wrote: a tail cut under its hands shows when it seals.
    fs::write(&path, with_lines(&before, |all| all.truncate(all.len() - 1))).unwrap();
    assert!(verify(home.path()).unwrap().is_intact());
    store.close().unwrap();
    let report = verify(home.path()).unwrap();
    let finding = report.findings.first().unwrap().to_string();
    assert!(finding.contains("sealed with 6 events"), "{finding}");
    assert!(finding.contains("now has 5 events"), "{finding}");
}
