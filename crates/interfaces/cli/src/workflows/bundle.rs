//! A workflow ready to be run: with all it calls, in its project, under its settings, and nothing wrong with any of it.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_config::{Settings, SettingsFiles};
use awf_core::{Code, Diagnostic, RunId, Severity, StateKind, Workflow, WorkflowSource};
use awf_workflow::{Inputs, Program, RunRequest};

use crate::{
    environment::Environment,
    palette::Palette,
    report::{CommandError, say},
    snippet::{Sources, render},
    workflows::{self, Project},
};

/// A workflow ready to be run.
pub(crate) struct Bundle {
    pub(crate) project: Project,
    pub(crate) settings: Settings,
    pub(crate) program: Arc<Program>,
    /// The files, the root first: what a run keeps to go on by.
    pub(crate) sources: Vec<WorkflowSource>,
}

impl Bundle {
    /// Reads a workflow and all it calls, to be run with `provider` in the part of every agent, where there is one.
    /// Warnings are said, errors are all told at once.
    pub(crate) fn load(
        path: &Path,
        provider: Option<&str>,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let mut gathered = Gathered::default();
        gathered.read_all(path, environment)?;
        let project = Project::open(Project::dir_of(path, environment), environment);
        gathered.findings.extend(project.findings.iter().cloned());
        for (_, workflow) in &gathered.workflows {
            gathered.findings.extend(project.check(workflow, provider, environment));
        }
        gathered.finish(project, environment)
    }

    /// A workflow and all it calls as they were when a run began, in the directory it worked in. They were checked then;
    /// the files they came from may be gone by now.
    pub(crate) fn remembered(
        sources: Vec<WorkflowSource>,
        dir: PathBuf,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let mut gathered = Gathered::default();
        for source in sources {
            let parsed = awf_config::parse_workflow(&source.file, &source.text);
            gathered.add(source, parsed.workflow, parsed.findings);
        }
        gathered.finish(Project::open(dir, environment), environment)
    }

    /// A run of it with nothing given.
    pub(crate) fn request(&self, id: RunId) -> RunRequest {
        RunRequest {
            id,
            program: self.program.clone(),
            sources: self.sources.clone(),
            inputs: Inputs::default(),
            provider: None,
            presets: Vec::new(),
            only: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The workflow itself.
    pub(crate) fn workflow(&self) -> &Workflow {
        self.program.root()
    }
}

#[derive(Default)]
struct Gathered {
    sources: Vec<WorkflowSource>,
    workflows: Vec<(String, Workflow)>,
    findings: Vec<Diagnostic>,
    texts: Sources,
}

impl Gathered {
    /// The root, then breadth-first what it calls. A name means one file for the whole run.
    fn read_all(&mut self, root: &Path, environment: &Environment) -> Result<(), CommandError> {
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut queue = vec![(String::new(), root.to_owned())];
        while let Some((name, path)) = queue.pop() {
            let loaded = workflows::load(&path).map_err(|finding| vec![finding])?;
            for called in loaded.workflow.iter().flat_map(calls) {
                let Some(target) = workflows::called(&loaded.file, &called.value, environment)
                else {
                    // Checking tells it, with its place.
                    continue;
                };
                match found.get(&called.value) {
                    None => {
                        found.insert(called.value.clone(), target.clone());
                        queue.push((called.value.clone(), target));
                    }
                    Some(known) if *known == target => {}
                    Some(known) => self.findings.push(two_files(called, known, &target)),
                }
            }
            let source = WorkflowSource { name, file: loaded.file, text: loaded.text };
            self.add(source, loaded.workflow, loaded.findings);
        }
        Ok(())
    }

    fn add(&mut self, source: WorkflowSource, workflow: Option<Workflow>, found: Vec<Diagnostic>) {
        self.texts.add(&source.file, source.text.clone());
        self.findings.extend(found);
        self.workflows.extend(workflow.map(|workflow| (source.name.clone(), workflow)));
        self.sources.push(source);
    }

    fn finish(
        mut self,
        project: Project,
        environment: &Environment,
    ) -> Result<Bundle, CommandError> {
        let settings = settings(&project.dir, environment)?;
        workflows::sort(&mut self.findings);
        let palette = Palette::of(&io::stderr(), environment);
        if self.findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(CommandError::invalid_workflow(self.findings, self.texts, palette));
        }
        for warning in &self.findings {
            say(&render(&self.texts.cleaned(warning), &self.texts, palette));
        }
        // Findings name files as the user did; a run may work elsewhere, and go on from anywhere.
        let absolute = |file: &str| environment.current_dir.join(file).display().to_string();
        for source in &mut self.sources {
            source.file = absolute(&source.file);
        }
        let mut workflows = self.workflows.into_iter().map(|(name, mut workflow)| {
            workflow.file = absolute(&workflow.file);
            (name, workflow)
        });
        let Some((_, root)) = workflows.next() else {
            return Err(CommandError::of(Code::InternalUnmapped, "the run has no workflow"));
        };
        let program = Arc::new(Program::new(root, workflows));
        Ok(Bundle { project, settings, program, sources: self.sources })
    }
}

/// The workflows that a workflow calls.
fn calls(workflow: &Workflow) -> impl Iterator<Item = &awf_core::Located<String>> {
    workflow.states.iter().filter_map(|state| match &state.kind {
        StateKind::Call(call) => Some(&call.workflow),
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Terminal(_) => None,
    })
}

fn two_files(called: &awf_core::Located<String>, one: &Path, other: &Path) -> Diagnostic {
    let message = format!(
        "`{}` means `{}` here and `{}` elsewhere in this run",
        called.value,
        other.display(),
        one.display()
    );
    let finding = Diagnostic::new(Code::UnknownWorkflow, message).at(called.span.clone());
    finding.hinting("call one of them by another name or by its path")
}

/// The user's configuration and the project's; all that is wrong with either.
pub(crate) fn settings(
    project: &Path,
    environment: &Environment,
) -> Result<Settings, Vec<Diagnostic>> {
    let ground = environment.current_dir.join(project);
    let home = environment.config_home();
    awf_config::load_settings(&SettingsFiles::find(home.as_deref(), project, &ground))
}
