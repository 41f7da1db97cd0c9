//! How well tools are found, over the data of `cargo xtask bench retrieval`, which also tells how plain BM25 does.

use std::{fs, path::Path, sync::Arc};

use awf_core::{ToolDefinition, Unannotated};
use serde_json::{Map, Value, json};

use super::{names, tool};
use crate::search::SearchIndex;

/// Recall among the first five below which the search got worse: plain BM25 stays below this on either split.
const LEAST: f64 = 0.68;

fn lines(file: &str) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../xtask/data/retrieval");
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn tools() -> Vec<Arc<ToolDefinition>> {
    let read = |line: &Vec<String>| {
        let arguments = line[4].split("; ").filter_map(|argument| argument.split_once('='));
        let properties: Map<String, Value> =
            arguments.map(|(name, text)| (name.to_owned(), json!({"description": text}))).collect();
        let schema = json!({"type": "object", "properties": properties});
        tool(&line[0], json!({"name": line[1], "description": line[3], "inputSchema": schema}))
    };
    lines("tools.tsv").iter().map(read).collect()
}

#[test]
fn most_of_what_is_asked_for_is_among_the_first_five() {
    let index = SearchIndex::build(&tools(), Unannotated::Trust);
    for split in ["tune", "held-out"] {
        let (mut recall, mut reciprocal, mut asked) = (0.0, 0.0, 0.0);
        for query in lines("queries.tsv").iter().filter(|query| query[0] == split) {
            let wanted: Vec<&str> = query[2].split(',').collect();
            let found = names(&index.search(&query[1], 300));
            let is_wanted = |name: &String| wanted.contains(&name.as_str());
            let hits = found.iter().take(5).filter(|name| is_wanted(name)).count();
            recall += share(hits, wanted.len());
            reciprocal += found.iter().position(is_wanted).map_or(0.0, |at| share(1, at + 1));
            asked += 1.0;
        }
        println!("{split}: recall@5 {:.3}, MRR {:.3}", recall / asked, reciprocal / asked);
        assert!(recall / asked > LEAST, "{split}: {:.3}", recall / asked);
    }
}

fn share(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole).unwrap())
}
