//! Two hundred changes to a log at rest, and what `verify` says to each.

use std::{
    fs,
    path::{Path, PathBuf},
};

use awf_store::verify;

use crate::{
    dice::Dice,
    sample::{open, write_calls},
};

/// A way to alter a log.
#[derive(Clone, Copy, Debug)]
enum Tampering {
    EditByte,
    ForgeLine,
    SwapLines,
    DeleteLine,
    DeleteLastLine,
    Truncate,
    AppendLine,
    DeleteSegment,
    PlantSegment,
    ExchangeSegments,
    EditHeads,
    DeleteHeads,
}

const WAYS: [Tampering; 12] = [
    Tampering::EditByte,
    Tampering::ForgeLine,
    Tampering::SwapLines,
    Tampering::DeleteLine,
    Tampering::DeleteLastLine,
    Tampering::Truncate,
    Tampering::AppendLine,
    Tampering::DeleteSegment,
    Tampering::PlantSegment,
    Tampering::ExchangeSegments,
    Tampering::EditHeads,
    Tampering::DeleteHeads,
];

/// The files of a log, as they were.
struct Original {
    heads: PathBuf,
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
        let heads = activity.join("heads.jsonl");
        paths.push(heads.clone());
        let files = paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap()));
        Self { heads, files: files.collect() }
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

fn with_lines(bytes: &[u8], change: impl FnOnce(&mut Vec<&[u8]>)) -> Vec<u8> {
    let mut lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    change(&mut lines);
    lines.concat()
}

/// The name of the file to look at afterwards, if one was left to look at.
fn tamper(original: &Original, way: Tampering, dice: &mut Dice) -> PathBuf {
    let (path, bytes) = original.segment(dice);
    let lines = str::from_utf8(bytes).unwrap().lines().count();
    let altered = match way {
        Tampering::EditByte => edit_byte(bytes, dice),
        Tampering::ForgeLine => with_lines(bytes, |all| {
            let forged = all[dice.below(lines)];
            all.insert(dice.below(lines), forged);
        }),
        Tampering::SwapLines => with_lines(bytes, |all| {
            let first = dice.below(lines);
            all.swap(first, (first + 1 + dice.below(lines - 1)) % lines);
        }),
        Tampering::DeleteLine => with_lines(bytes, |all| {
            all.remove(dice.below(lines - 1));
        }),
        Tampering::DeleteLastLine => with_lines(bytes, |all| all.truncate(all.len() - 1)),
        Tampering::Truncate => bytes[..dice.below(bytes.len())].to_vec(),
        Tampering::AppendLine => with_lines(bytes, |all| all.push(all[dice.below(lines)])),
        Tampering::DeleteSegment => {
            fs::remove_file(path).unwrap();
            return path.clone();
        }
        Tampering::PlantSegment => {
            let planted = path.with_file_name("01JG2QZC3V8F0E4B1S5T7W9XYZ.jsonl");
            fs::write(&planted, bytes).unwrap();
            return planted;
        }
        Tampering::ExchangeSegments => {
            let other = original.files.iter().find(|(other, _)| other != path).unwrap();
            fs::write(path, &other.1).unwrap();
            return path.clone();
        }
        Tampering::EditHeads => {
            fs::write(&original.heads, edit_byte(&fs::read(&original.heads).unwrap(), dice))
                .unwrap();
            return original.heads.clone();
        }
        Tampering::DeleteHeads => {
            fs::remove_file(&original.heads).unwrap();
            return path.clone();
        }
    };
    fs::write(path, altered).unwrap();
    path.clone()
}

#[tokio::test]
async fn every_change_is_found_and_found_where_it_is() {
    let home = tempfile::tempdir().unwrap();
    let original = Original::make(home.path()).await;
    let mut dice = Dice::new(2026);
    for trial in 0..crate::trials(200, 5_000) {
        let intact = verify(home.path()).unwrap();
        assert_eq!((intact.findings, intact.notes), (vec![], vec![]), "trial {trial}");
        assert_eq!((intact.segments, intact.events), (3, 36));
        let way = WAYS[trial % WAYS.len()];
        let changed = tamper(&original, way, &mut dice);
        let report = verify(home.path()).unwrap();
        assert!(
            report.findings.iter().any(|finding| finding.place.file == changed),
            "trial {trial}, {way:?} of {}: {report:?}",
            changed.display(),
        );
        if matches!(way, Tampering::PlantSegment) {
            fs::remove_file(changed).unwrap();
        }
        original.restore();
    }
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
