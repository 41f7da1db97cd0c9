//! A workflow as a picture: text for Mermaid or Graphviz. The same workflow gives the same text.

use awf_core::Workflow;

use crate::diagram::picture::Picture;

mod dot;
mod mermaid;
mod picture;

/// For which program the picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramStyle {
    /// Mermaid, as in Markdown.
    Mermaid,
    /// Graphviz.
    Dot,
}

/// Which way a picture runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Top to bottom.
    #[default]
    TB,
    /// Left to right.
    LR,
    /// Bottom to top.
    BT,
    /// Right to left.
    RL,
}

impl Direction {
    /// The word, the same in both languages.
    fn as_str(self) -> &'static str {
        match self {
            Self::TB => "TB",
            Self::LR => "LR",
            Self::BT => "BT",
            Self::RL => "RL",
        }
    }
}

/// What a picture looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagramOptions<'a> {
    /// For which program it is.
    pub style: DiagramStyle,
    /// Which way it runs.
    pub direction: Direction,
    /// The state that stands out.
    pub highlight: Option<&'a str>,
}

/// The workflow as a picture.
pub fn diagram(workflow: &Workflow, options: DiagramOptions<'_>) -> String {
    let picture = Picture::of(workflow, options.highlight);
    match options.style {
        DiagramStyle::Mermaid => mermaid::write(&picture, options.direction),
        DiagramStyle::Dot => dot::write(&picture, options.direction),
    }
}

#[cfg(test)]
mod tests;
