//! `awf validate`: everything that is wrong with workflows, found without starting anything but, where asked for, plugins.

use std::{collections::BTreeMap, io, path::PathBuf};

use awf_core::{Code, Diagnostic, Severity, Workflow};
use clap::{Args, ValueEnum};

use crate::{
    environment::Environment,
    output::Output,
    palette::Palette,
    report::{CommandError, Exit, say},
    snippet::{Sources, render},
    workflows::{self, Loaded, Project},
};

mod github;
mod json;
mod junit;
mod plugins;
mod sarif;
mod targets;

use plugins::Witnesses;
use targets::Targets;

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Workflows by name, files, or folders; without any: all in `.awf/workflows`
    #[arg(value_name = "WORKFLOW")]
    workflows: Vec<String>,
    /// How to print what was found
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Exit with 2 for warnings, too
    #[arg(long)]
    strict: bool,
    /// Start the plugins of the project, to check against what they really have and to ask their validators
    #[arg(long)]
    with_plugins: bool,
    /// Look for names in this folder only; without names: check all in it
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One document
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A test report in XML, one test case for each file
    Junit,
}

/// Whether plugins are started.
#[derive(Clone, Copy, Debug)]
enum Plugins {
    Asked,
    LeftAlone,
}

/// What came of looking at all files.
#[derive(Debug)]
struct Inspection {
    /// The files, in the order they were looked at.
    files: Vec<String>,
    /// Sorted by place.
    findings: Vec<Diagnostic>,
    sources: Sources,
    /// Findings from here on make a workflow invalid.
    intolerable: Severity,
}

impl Inspection {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether the finding makes its workflow invalid.
    fn condemns(&self, finding: &Diagnostic) -> bool {
        finding.severity >= self.intolerable
    }

    fn is_valid(&self) -> bool {
        !self.findings.iter().any(|finding| self.condemns(finding))
    }

    /// What is not there is no fault of a workflow; but one that has a fault comes first.
    fn exit(&self) -> Exit {
        let absent = |finding: &Diagnostic| finding.code == Code::WorkflowNotFound;
        let mut grave = self.findings.iter().filter(|finding| self.condemns(finding));
        if self.is_valid() {
            Exit::Ok
        } else if grave.all(absent) {
            Exit::User
        } else {
            Exit::Workflow
        }
    }
}

pub(crate) async fn run(
    args: &ValidateArgs,
    environment: &Environment,
) -> Result<Exit, CommandError> {
    let targets = targets::resolve(&args.workflows, args.dir.as_deref(), environment)?;
    let intolerable = if args.strict { Severity::Warning } else { Severity::Error };
    let asked = if args.with_plugins { Plugins::Asked } else { Plugins::LeftAlone };
    let inspection = inspect(targets, intolerable, asked, environment).await?;
    let output = Output::stdout();
    match args.format {
        Format::Text => {
            let palette = Palette::of(&io::stdout(), environment);
            output.write(text(&inspection, palette).as_bytes())?;
            say(&summary(&inspection));
        }
        Format::Json => output.json(&json::document(&inspection))?,
        Format::Github => output.write(github::lines(&inspection.findings).as_bytes())?,
        Format::Sarif => output.json(&sarif::document(&inspection.findings))?,
        Format::Junit => output.line(&junit::document(&inspection))?,
    }
    Ok(inspection.exit())
}

/// Looks at every file and at the projects they belong to.
async fn inspect(
    targets: Targets,
    intolerable: Severity,
    asked: Plugins,
    environment: &Environment,
) -> Result<Inspection, CommandError> {
    let mut projects: BTreeMap<PathBuf, Ground> = BTreeMap::new();
    let mut sources = Sources::default();
    let Targets { files, mut findings } = targets;
    for path in &files {
        let Loaded { file, text, workflow, findings: found } = match workflows::load(path) {
            Ok(loaded) => loaded,
            Err(finding) => {
                findings.push(finding);
                continue;
            }
        };
        sources.add(&file, text);
        findings.extend(found);
        let dir = Project::dir_of(path, environment);
        if !projects.contains_key(&dir) {
            let (ground, found) = Ground::open(dir.clone(), asked, environment).await?;
            findings.extend(found);
            projects.insert(dir.clone(), ground);
        }
        if let (Some(ground), Some(workflow)) = (projects.get(&dir), &workflow) {
            findings.extend(ground.check(workflow, environment).await);
        }
    }
    for ground in projects.into_values() {
        ground.close().await;
    }
    workflows::sort(&mut findings);
    // One may be about a file that is no workflow, such as `.awf/plugins.yaml`.
    sources.add_files_of(&findings);
    let findings = findings.iter().map(|finding| sources.cleaned(finding)).collect();
    let files = files.iter().map(|path| path.display().to_string()).collect();
    Ok(Inspection { files, findings, sources, intolerable })
}

/// A project, and its plugins where they are asked.
struct Ground {
    project: Project,
    witnesses: Option<Witnesses>,
}

impl Ground {
    /// The project in `dir`, and what is wrong with it.
    async fn open(
        dir: PathBuf,
        asked: Plugins,
        environment: &Environment,
    ) -> Result<(Self, Vec<Diagnostic>), CommandError> {
        let mut project = Project::open(dir, environment);
        let mut findings = project.findings.clone();
        // What is wrong with the user's file is found with every project, and told once.
        findings.extend(workflows::settings(&project.dir, environment).err().into_iter().flatten());
        let witnesses = match asked {
            Plugins::LeftAlone => None,
            Plugins::Asked => {
                let (witnesses, found) = Witnesses::call(&mut project, environment).await?;
                findings.extend(found);
                Some(witnesses)
            }
        };
        Ok((Self { project, witnesses }, findings))
    }

    async fn check(&self, workflow: &Workflow, environment: &Environment) -> Vec<Diagnostic> {
        let mut findings = self.project.check(workflow, None, environment);
        if let Some(witnesses) = &self.witnesses {
            findings.extend(witnesses.hear(workflow).await);
        }
        findings
    }

    async fn close(self) {
        if let Some(witnesses) = self.witnesses {
            witnesses.dismiss().await;
        }
    }
}

fn text(inspection: &Inspection, palette: Palette) -> String {
    let rendered = inspection
        .findings
        .iter()
        .map(|finding| format!("{}\n", render(finding, &inspection.sources, palette)));
    rendered.collect::<Vec<_>>().join("\n")
}

fn summary(inspection: &Inspection) -> String {
    let found: Vec<String> = [Severity::Error, Severity::Warning]
        .into_iter()
        .filter_map(|severity| counted(inspection.count(severity), severity.as_str()))
        .collect();
    let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
    let files = counted(inspection.files.len(), "file").unwrap_or_else(|| "no file".to_owned());
    format!("{files} checked: {found}")
}

/// `2 errors`; nothing for none.
fn counted(count: usize, noun: &str) -> Option<String> {
    let plural = if count == 1 { "" } else { "s" };
    (count > 0).then(|| format!("{count} {noun}{plural}"))
}

/// What to say when there is nothing to check.
fn nothing_in(place: &str) -> CommandError {
    CommandError::of(Code::WorkflowNotFound, format!("there is no workflow in `{place}`"))
}
