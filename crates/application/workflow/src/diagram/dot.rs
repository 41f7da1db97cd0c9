//! DOT: the language of Graphviz.

use std::fmt::Write;

use crate::diagram::{
    Direction,
    picture::{Arrow, Emphasis, Figure, Line, Picture, Shape},
};

pub(super) fn write(picture: &Picture, direction: Direction) -> String {
    let mut text = format!("digraph \"{}\" {{\n", escaped(&picture.title));
    let lines = [
        format!("rankdir={}", direction.as_str()),
        "node [fontname=\"sans-serif\", shape=box]".to_owned(),
        "edge [fontname=\"sans-serif\", fontsize=10]".to_owned(),
    ];
    let outlines = picture.figures.iter().map(outline);
    let arrows = picture.arrows.iter().map(arrow);
    for line in lines.into_iter().chain(outlines).chain(arrows) {
        // Writing to a string cannot fail.
        let _infallible = writeln!(text, "    {line};");
    }
    text.push_str("}\n");
    text
}

fn outline(figure: &Figure) -> String {
    let look = match figure.shape {
        Shape::Start => "shape=point",
        Shape::Command => "shape=box",
        Shape::Agent => "shape=box, style=rounded",
        Shape::Parallel => "shape=trapezium",
        Shape::Loop => "shape=hexagon",
        Shape::Operation => "shape=parallelogram",
        Shape::Call => "shape=component",
        Shape::End => "shape=doubleoctagon",
        Shape::Missing => "shape=box, style=dashed",
    };
    let lines: Vec<String> = figure.lines.iter().map(|line| escaped(line)).collect();
    let strong = match figure.emphasis {
        Emphasis::Strong => ", penwidth=4",
        Emphasis::None => "",
    };
    format!("{} [label=\"{}\", {look}{strong}]", figure.id, lines.join("\\n"))
}

fn arrow(arrow: &Arrow) -> String {
    let Arrow { from, to, label, line } = arrow;
    let mut looks = Vec::new();
    if !label.is_empty() {
        looks.push(format!("label=\"{}\"", escaped(label)));
    }
    match line {
        Line::Solid => {}
        Line::Dashed => looks.push("style=dashed".to_owned()),
    }
    if looks.is_empty() {
        return format!("{from} -> {to}");
    }
    format!("{from} -> {to} [{}]", looks.join(", "))
}

fn escaped(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .flat_map(|c| if matches!(c, '"' | '\\') { vec!['\\', c] } else { vec![c] })
        .collect()
}
