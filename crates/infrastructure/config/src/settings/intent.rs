//! How declared intent is judged, as several files say it: the user's must agree, the project's may only tighten.

use std::time::Duration;

use awf_core::{Code, Diagnostic, IntentPolicy, Mode, Span, Strictness, Unannotated};

use crate::{
    policy::ANNOTATIONS_MAX_AGE,
    settings::{
        files::Side,
        grade::Graded,
        layer::{Said, SharedLayer},
        tighten::Join,
    },
};

impl Side {
    /// Every file of this side.
    pub(super) fn shared(&self) -> impl Iterator<Item = &SharedLayer> {
        [&self.own.shared].into_iter().chain(&self.foreign)
    }
}

impl Join {
    pub(super) fn intent(&mut self, user: &Side, project: &Side) -> (IntentPolicy, Duration) {
        let mode = self.setting("mode", [user, project], |l| &l.mode, Mode::default());
        let strict = self.setting("strict_server_validation", [user, project], |l| &l.strict, true);
        let unannotated = self.setting(
            "unannotated",
            [user, project],
            |l| &l.unannotated,
            Unannotated::default(),
        );
        let max_age = self.setting(
            "annotations_max_age",
            [user, project],
            |l| &l.max_age,
            ANNOTATIONS_MAX_AGE,
        );
        let strictness = if strict { Strictness::Strict } else { Strictness::Permissive };
        (IntentPolicy { mode, strictness, unannotated }, max_age)
    }

    /// The strictest of what the project's files say, none of which may be looser than the user's.
    fn setting<T: Graded>(
        &mut self,
        name: &str,
        [user, project]: [&Side; 2],
        field: impl Fn(&SharedLayer) -> &Said<T>,
        default: T,
    ) -> T {
        let key = format!("intent_declaration.{name}");
        let own = self.agreed(&key, user.shared().filter_map(|layer| field(layer).as_ref()));
        let mut strictest = self.stricter(&key, own.as_ref(), None, default);
        for layer in project.shared() {
            let value = self.stricter(&key, own.as_ref(), field(layer).as_ref(), default);
            if value.grade() > strictest.grade() {
                strictest = value;
            }
        }
        strictest
    }

    /// What the user says: two files that say different things leave it open what is meant.
    fn agreed<'s, T: Graded + 's>(
        &mut self,
        key: &str,
        mut said: impl Iterator<Item = &'s (T, Span)>,
    ) -> Said<T> {
        let (first, at) = said.next()?;
        for (other, place) in said.filter(|(other, _)| other != first) {
            let (one, other) = (first.word(), other.word());
            let message = format!(
                "`{key}: {other}` contradicts `{one}` on line {} of `{}`",
                at.line, at.file
            );
            self.conflicts.push(Diagnostic::new(Code::ConfigConflict, message).at(place.clone()));
        }
        Some((*first, at.clone()))
    }
}
