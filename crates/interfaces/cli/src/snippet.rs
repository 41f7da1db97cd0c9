//! A finding as a person reads it: what is wrong, the line it is on, a mark beneath and the hint beside it.
//!
//! The line comes from a file that anybody may have written: what could steer a terminal is written out, and what is long
//! is cut around the mark.

use annotate_snippets::{
    AnnotationKind, Group, Level, Renderer, Snippet,
    renderer::{DEFAULT_LINE_NUM_STYLE, Style},
};
use awf_core::{Diagnostic, Severity, Span};

use crate::{palette::Palette, table::printable};

mod excerpt;
mod sources;

use excerpt::Excerpt;
use sources::Line;
pub(crate) use sources::Sources;

/// Characters a hint may have to stand beside the mark; a longer one gets a line of its own.
const BESIDE: usize = 60;

/// The finding with its line, if its text is at hand; else in one line.
pub(crate) fn render(finding: &Diagnostic, sources: &Sources, palette: Palette) -> String {
    let place = finding.span.as_ref();
    match place.and_then(|span| Some((span, sources.line(&span.file, span.line)?))) {
        Some((span, line)) => marked(finding, span, line, palette),
        None => unmarked(finding),
    }
}

/// A finding without a text to show.
pub(crate) fn unmarked(finding: &Diagnostic) -> String {
    let place = finding
        .span
        .as_ref()
        .map(|span| format!("{}:{}:{}: ", printable(&span.file), span.line, span.column));
    let hint = finding.hint.as_ref().map(|hint| format!("\n  hint: {hint}"));
    format!(
        "{}{}[{}]: {}{}",
        place.unwrap_or_default(),
        finding.severity.as_str(),
        finding.code,
        finding.message,
        hint.unwrap_or_default()
    )
}

fn marked(finding: &Diagnostic, span: &Span, line: Line<'_>, palette: Palette) -> String {
    let excerpt = Excerpt::of(line, span);
    let (beside, beneath) = split_hint(finding.hint.as_deref());
    let level = match finding.severity {
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let mark = AnnotationKind::Primary.span(excerpt.mark).label(beside);
    let shown = Snippet::source(excerpt.text).line_start(span.line).annotation(mark);
    let title = level.primary_title(printable(&finding.message)).id(finding.code.as_str());
    let group = Group::with_title(title).element(shown);
    let group = group.elements(beneath.map(|hint| Level::HELP.message(hint)));
    let (renderer, arrow) = match palette {
        Palette::Plain => (Renderer::plain(), Style::new()),
        Palette::Colour => (Renderer::styled(), DEFAULT_LINE_NUM_STYLE),
    };
    // Excerpts are cut already; a second cut by the renderer would only hide labels.
    let rendered = renderer.term_width(usize::from(u16::MAX)).render(&[group]);
    let (headline, rest) = rendered.split_once('\n').unwrap_or((&rendered, ""));
    format!("{headline}\n{}\n{rest}", place(span, arrow))
}

/// What of a hint stands beside the mark and what beneath it: a suggestion comes first, and a long text gets its own line.
fn split_hint(hint: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(hint) = hint.map(printable) else { return (None, None) };
    let fits = |text: &str| text.chars().count() <= BESIDE;
    match hint.split_once("? ") {
        _ if fits(&hint) => (Some(hint), None),
        Some((question, rest)) if fits(question) => {
            (Some(format!("{question}?")), Some(rest.to_owned()))
        }
        Some(_) | None => (None, Some(hint)),
    }
}

/// Where it is, set in as far as the numbers of lines are. It is not left to the renderer, which would count columns in
/// the excerpt: a cut or escaped line has others than the file.
fn place(span: &Span, arrow: Style) -> String {
    let indent = " ".repeat(span.line.to_string().len());
    let file = printable(&span.file);
    format!("{indent}{arrow}-->{arrow:#} {file}:{}:{}", span.line, span.column)
}

#[cfg(test)]
mod tests;
