//! awf-template: text with `{{…}}` in it, and conditions. Parsed once, with places; evaluated against values of JSON.
//!
//! Templates are strict: a missing key is an error. In expressions what is not there is null.
