//! How much work one evaluation may do, so that hostile values or texts cost a bounded time and memory.

use std::ops::Range;

use crate::EvalError;

/// Steps one evaluation may take.
const STEPS: usize = 1_000_000;
/// Bytes handled for the price of one step.
const BYTES_PER_STEP: usize = 256;
/// The longest text an evaluation may make.
const LONGEST: usize = 16 << 20;

#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Self { left: STEPS }
    }

    /// Pays for `steps` of work.
    pub(crate) fn spend(&mut self, steps: usize, at: &Range<usize>) -> Result<(), EvalError> {
        self.left = self.left.checked_sub(steps).ok_or_else(|| {
            EvalError::new(format!("evaluation stopped after {STEPS} steps"), at.clone())
        })?;
        Ok(())
    }

    /// Pays for reading or making `length` bytes.
    pub(crate) fn spend_bytes(
        &mut self,
        length: usize,
        at: &Range<usize>,
    ) -> Result<(), EvalError> {
        self.spend(1 + length / BYTES_PER_STEP, at)
    }
}

/// A text being made, refused once it is longer than an evaluation may make.
#[derive(Debug, Default)]
pub(crate) struct Draft(String);

impl Draft {
    pub(crate) fn push(&mut self, part: &str, at: &Range<usize>) -> Result<(), EvalError> {
        if self.0.len() + part.len() > LONGEST {
            let most = LONGEST >> 20;
            return Err(EvalError::new(format!("the text grew beyond {most} MiB"), at.clone()));
        }
        self.0.push_str(part);
        Ok(())
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}
