//! Reading an answer off the wire, within bounds of size and time.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::openai::{
    client::{Form, Wire, cause},
    delta::{Answer, Misfit},
    options::Options,
    sse::{Events, LONGEST_EVENT, Sign},
    trouble::{Remedy, Trouble, words},
    voice::Voice,
    wire::Chunk,
};

/// The most bytes one answer may take on the wire.
const LONGEST_ANSWER: usize = 64 * 1024 * 1024;
/// How long a server that said why the model stopped may take to end its stream.
const AFTER_THE_END: Duration = Duration::from_secs(5);
/// What ends a stream.
const DONE: &str = "[DONE]";

/// Asks once. What is said is heard while it comes.
pub(super) async fn ask(
    wire: &Wire,
    body: Vec<u8>,
    options: &Options,
    voice: &mut Voice<'_>,
) -> Result<Answer, Trouble> {
    let deadline = Deadline::new(options);
    let sent = body.len();
    let (response, form) = deadline.wait(wire.post(body)).await??;
    let mut reading = Reading {
        response,
        deadline,
        answer: Answer::default(),
        most_calls: options.max_tool_calls,
        voice,
    };
    let read = match form {
        Form::Stream => reading.stream().await,
        Form::Whole => reading.whole().await,
    };
    let Reading { answer, voice, .. } = reading;
    match read {
        Ok(()) => {
            voice.end();
            Ok(answer)
        }
        // What was read and written in vain counts, too.
        Err(trouble) if answer.is_begun() => Err(Trouble { usage: answer.usage(sent), ..trouble }),
        Err(trouble) => Err(trouble),
    }
}

/// Until when something must be heard.
struct Deadline {
    at: Instant,
    idle: Duration,
    late: String,
}

impl Deadline {
    fn new(options: &Options) -> Self {
        let first = options.first_byte_timeout;
        let late = format!("nothing came within {first:?} (`first_byte_timeout`)");
        Self { at: Instant::now() + first, idle: options.idle_timeout, late }
    }

    /// Something was heard.
    fn renew(&mut self) {
        let idle = self.idle;
        self.at = Instant::now() + idle;
        self.late = format!("the answer stood still for {idle:?} (`idle_timeout`)");
    }

    /// What is still to come is not worth much waiting.
    fn hurry(&mut self) {
        self.at = self.at.min(Instant::now() + AFTER_THE_END);
    }

    async fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T, Trouble> {
        timeout_at(self.at, work).await.map_err(|_| Trouble::lasting(self.late.clone()))
    }
}

/// An answer that is being read.
struct Reading<'r, 'v> {
    response: Response,
    deadline: Deadline,
    answer: Answer,
    most_calls: usize,
    voice: &'r mut Voice<'v>,
}

impl Reading<'_, '_> {
    async fn stream(&mut self) -> Result<(), Trouble> {
        let mut events = Events::default();
        let mut read = 0;
        loop {
            let bytes = match self.next().await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return self.ended(events.finish()),
                // The model is done, whatever became of the connection.
                Err(_) if self.answer.finish.is_some() => return Ok(()),
                Err(trouble) => return Err(trouble),
            };
            read += bytes.len();
            let signs = events.feed(&bytes).ok().filter(|_| read <= LONGEST_ANSWER);
            for sign in signs.ok_or_else(too_long)? {
                self.deadline.renew();
                match sign {
                    Sign::Comment => {}
                    Sign::Data(data) if data.trim() == DONE => return Ok(()),
                    Sign::Data(data) => self.event(&data)?,
                }
            }
            if self.answer.finish.is_some() {
                self.deadline.hurry();
            }
        }
    }

    /// The stream ended without saying so. Where the model had said why it stops, that was all.
    fn ended(&mut self, last: Option<String>) -> Result<(), Trouble> {
        match last {
            Some(data) if data.trim() == DONE => return Ok(()),
            Some(data) if serde_json::from_str::<Chunk<'_>>(&data).is_ok() => self.event(&data)?,
            Some(_) => return Err(cut("in the middle of an event")),
            None => {}
        }
        match self.answer.finish {
            Some(_) => Ok(()),
            None => Err(cut("before it was complete")),
        }
    }

    /// One JSON object, all of which comes soon after it began.
    async fn whole(&mut self) -> Result<(), Trouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next().await? {
            if body.is_empty() {
                self.deadline.renew();
            }
            if body.len() + bytes.len() > LONGEST_EVENT {
                return Err(too_long());
            }
            body.extend_from_slice(&bytes);
        }
        self.event(&String::from_utf8_lossy(&body))?;
        let answer = &self.answer;
        if answer.finish.is_none() && !answer.is_begun() {
            return Err(Trouble::lasting("the answer is JSON, but no completion"));
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<Bytes>, Trouble> {
        match self.deadline.wait(self.response.chunk()).await? {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(cut(&format!("in the middle: {}", cause(error)))),
        }
    }

    fn event(&mut self, data: &str) -> Result<(), Trouble> {
        let unreadable = |error: serde_json::Error| {
            if error.is_eof() {
                return cut("in the middle of an event");
            }
            Trouble::lasting(format!("the answer cannot be read: {error}: `{}`", words(data)))
        };
        let chunk: Chunk<'_> = serde_json::from_str(data).map_err(unreadable)?;
        match self.answer.add(chunk, self.most_calls) {
            Ok(said) => {
                self.voice.say(&said);
                Ok(())
            }
            Err(Misfit::TooLong) => Err(too_long()),
            Err(Misfit::Error(told)) => {
                Err(Trouble::lasting(format!("the server broke off: {}", words(&told))))
            }
            Err(Misfit::TooManyCalls) => {
                let most = self.most_calls;
                let message = format!(
                    "the model asked for more than {most} tool calls at once (`max_tool_calls`)"
                );
                Err(Trouble::new(message, Remedy::Endless))
            }
        }
    }
}

fn cut(place: &str) -> Trouble {
    Trouble::passing(format!("the answer was cut {place}"))
}

fn too_long() -> Trouble {
    Trouble::lasting("the answer is longer than any model's and is not read on")
}
