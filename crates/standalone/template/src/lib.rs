//! awf-template: text with `{{…}}` in it, and conditions. Parsed once, with places; evaluated against values of JSON.
//!
//! There are two small languages. A [`Template`] is text with actions, after Go's `text/template`. An [`Expression`]
//! is a condition or another computation, after expr-lang. Both know the bytes of each thing they were read from, say
//! what they ask of their [`Scope`] before they are evaluated, and cost a bounded time and memory on any text and any
//! values. The crate knows no namespace by name: `inputs`, `states` and the rest are whatever the scope has.
//!
//! ```
//! use awf_template::{Expression, Scope, Template};
//! use serde_json::{Value, json};
//!
//! struct Values(Value);
//!
//! impl Scope for Values {
//!     fn root(&self, name: &str) -> Option<&Value> {
//!         self.0.get(name)
//!     }
//!     fn read_file(&self, _path: &str) -> Result<String, String> {
//!         Err("there are no files here".to_owned())
//!     }
//! }
//!
//! let scope = Values(json!({
//!     "inputs": {"file": "it's.txt", "count": "3"},
//!     "states": {"my-step": {"ExitCode": 0}},
//! }));
//!
//! let command = Template::parse("wc -l {{.inputs.file | escape}}")?;
//! assert_eq!(command.render(&scope)?, r"wc -l 'it'\''s.txt'");
//! assert_eq!(command.references()[0].path, ["inputs", "file"]);
//!
//! let condition = Expression::parse("states.my-step.ExitCode == 0 && inputs.count > 2")?;
//! assert!(condition.test(&scope)?);
//!
//! let wrong = Expression::parse("inputs.count = 3").unwrap_err();
//! assert_eq!((wrong.at, wrong.hint.as_deref()), (13..14, Some("compare with `==`")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//!
//! Values are JSON. As text, null is empty, whole numbers have no fraction, lists and maps are JSON. Inputs and the
//! output of commands are text, so both languages compare a text next to a number or a boolean as what it reads like:
//! `"3\n"` equals 3 and `"true"` equals true. Two texts are equal only if they are the same; ordered (`<`, `lt`) they
//! are as numbers if both read like numbers. Null has no order: each such comparison is false. Other pairs that make
//! no sense are unequal, and to order them is an error.
//!
//! # Templates
//!
//! What stands outside `{{…}}` is printed as it is. `{{-` and `-}}`, with a space on the inside, trim the white space
//! outside. `{{/* … */}}` is a comment. Two braces as they are: `{{"{{"}}`.
//!
//! | Written | Is |
//! |---|---|
//! | `.inputs.x`, `inputs.x`, `$.inputs.x` | a value of the scope; a key that is not there is an error |
//! | `.states.my-step.Output` | the same: a dash between two letters or digits belongs to the name |
//! | `.states.a.JSON.items.0` | a number is a place in a list |
//! | `"a\n"`, `` `raw` ``, `42`, `-0.5`, `true`, `nil` | literals |
//! | `f a b`, `a \| f b`, `(f a).key` | a call; what is piped is the last argument |
//! | `{{$x := v}}`, `{{$x = v}}` | declares a variable, up to the end of its block; sets it |
//! | `{{if v}}…{{else if v}}…{{else}}…{{end}}` | false, 0, null and what is empty are false |
//! | `{{with v}}…{{else}}…{{end}}` | as `if`, and `.` is `v` inside |
//! | `{{range v}}…{{else}}…{{end}}` | each element of a list or map is `.` in turn; `else` if there is none |
//! | `{{range $x := v}}`, `{{range $i, $x := v}}` | with names for the element, and for its place or key |
//!
//! Inside `range` and `with`, `.x` is a key of the element; `$.inputs.x` and `inputs.x` reach the scope.
//!
//! | Function | Gives |
//! |---|---|
//! | `escape v` | one word for a POSIX shell |
//! | `json v` | JSON |
//! | `split text sep`, `text \| split sep` | the parts, without white space around them |
//! | `join list sep`, `list \| join sep` | one text |
//! | `trimSpace text` | without white space around it |
//! | `readFile path` | the text of a file, by [`Scope::read_file`]; at most 1 MiB |
//! | `index v a b…` | `v[a][b]…`; a key that is not there is an error; negative places count from the end |
//! | `len v` | characters, elements or keys |
//! | `eq a b…`, `ne`, `lt`, `le`, `gt`, `ge` | comparisons; `eq` asks whether `a` equals any of the others |
//! | `and a b…`, `or a b…`, `not a` | the first false (true) argument or the last; those behind it are not evaluated |
//! | `printf format v…` | `%s %v %q %d %x %f %t %%`, with `-`, `0`, `+`, width and precision |
//! | `print v…`, `println v…` | texts put together as in Go |
//!
//! Of Go's templates `define`, `template`, `block`, `break`, `continue`, `call`, `slice`, `html`, `js` and `urlquery`
//! are refused by name.
//!
//! # Expressions
//!
//! What is not there is null, at any depth. From loosest to tightest:
//!
//! | Operators | Are |
//! |---|---|
//! | `a ? b : c` | one of two |
//! | `\|\|` `or`; then `&&` `and`; then the word `not` | of booleans; null is false, the texts `true` and `false` are what they say |
//! | `==` `!=` `<` `<=` `>` `>=` | comparisons |
//! | `in` `contains` `startsWith` `endsWith` `matches` | and each with `not` before it; `matches` is a search by regular expression |
//! | `+` `-`; then `*` `/` `%` | of numbers, checked; `+` also puts two texts together; `6 / 2` is whole, `7 / 2` is not |
//! | `!` `-` `+` before a value | |
//! | `??` | the right side if the left is null |
//! | `a.b` `a?.b` `a["b"]` `a[0]` `a[-1]` | what is inside; with nothing before a dot or a bracket |
//!
//! Literals are those of templates, texts in single quotes, `null`, `[1, 2]` and `{a: 1, "b": 2}`. Functions:
//! `contains(a, b)`, `has_prefix(a, b)`, `has_suffix(a, b)`, `matches(a, b)`, `len(a)`, `lower(a)`, `upper(a)`,
//! `trim(a)`, `int(a)`, `float(a)`, `string(a)`. A field may be written as a method without arguments:
//! `workflow.Duration()`.
//!
//! A dash subtracts, with one exception: directly after `states.`, a dash between two letters or digits belongs to the
//! name, as in `states.my-step.ExitCode`. Other names with dashes take brackets: `inputs["my-input"]`.
//!
//! As templates are written everywhere around, a leading dot is allowed (`.inputs.x`), and `{{…}}` stands for the
//! value it has in a template, or for an expression in parentheses. In quotes it is refused: there it would be text.
//!
//! # Bounds
//!
//! Blocks, parentheses and the like nest 64 deep. A text has 10 000 actions at most, an expression 256 operators in a
//! row. One evaluation takes a million steps, of which handling 256 bytes is one, and makes texts of 16 MiB at most.

#![warn(missing_docs)]

mod budget;
mod cursor;
mod error;
mod expression;
mod nearest;
mod scope;
mod template;
#[cfg(test)]
mod testing;
mod value;

pub use error::{EvalError, SyntaxError};
pub use expression::Expression;
pub use scope::{Insertion, Printed, Reference, Scope};
pub use template::Template;
