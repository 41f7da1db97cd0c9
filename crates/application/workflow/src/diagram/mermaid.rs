//! Mermaid: a flowchart, as Markdown viewers draw it.

use std::fmt::Write;

use crate::diagram::{
    Direction,
    picture::{Arrow, Emphasis, Figure, Line, Picture, Shape},
};

pub(super) fn write(picture: &Picture, direction: Direction) -> String {
    let mut text = format!(
        "---\ntitle: \"{}\"\n---\nflowchart {}\n",
        title(&picture.title),
        direction.as_str()
    );
    let lines = picture.figures.iter().map(outline).chain(picture.arrows.iter().map(arrow));
    let strong = picture.figures.iter().filter(|figure| figure.emphasis == Emphasis::Strong);
    let strong = strong.map(|figure| format!("style {} stroke-width:4px", figure.id));
    for line in lines.chain(strong) {
        // Writing to a string cannot fail.
        let _infallible = writeln!(text, "    {line}");
    }
    text
}

fn outline(figure: &Figure) -> String {
    let (open, close) = match figure.shape {
        Shape::Start => ("((", "))"),
        Shape::Command | Shape::Missing => ("[", "]"),
        Shape::Agent => ("([", "])"),
        Shape::Parallel => ("[/", "\\]"),
        Shape::Loop => ("{{", "}}"),
        Shape::Operation => ("[/", "/]"),
        Shape::Call => ("[[", "]]"),
        Shape::End => ("(((", ")))"),
    };
    let lines: Vec<String> = figure.lines.iter().map(|line| escaped(line)).collect();
    let label = if lines.is_empty() { " ".to_owned() } else { lines.join("<br/>") };
    format!("{}{open}\"{label}\"{close}", figure.id)
}

fn arrow(arrow: &Arrow) -> String {
    let line = match arrow.line {
        Line::Solid => "-->",
        Line::Dashed => "-.->",
    };
    let Arrow { from, to, label, .. } = arrow;
    if label.is_empty() {
        return format!("{from} {line} {to}");
    }
    format!("{from} {line}|\"{}\"| {to}", escaped(label))
}

/// Characters by number, but for those that mean nothing to Mermaid, HTML or Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || " _-.,:/=()…".contains(c) {
            out.push(c);
        } else {
            let _infallible = write!(out, "#{};", u32::from(c));
        }
    }
    out
}

/// The title stands in YAML.
fn title(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .flat_map(|c| if matches!(c, '"' | '\\') { vec!['\\', c] } else { vec![c] })
        .collect()
}
