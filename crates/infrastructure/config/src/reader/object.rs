//! Mappings with fixed keys, declared once: the struct, its reader and its schema come from the same lines.

use awf_core::Code;
use serde_json::{Map, Value};

use crate::{
    reader::{Field, Findings, Shape},
    yaml::{Entry, Node, NodeValue, Place},
};

/// What is special about an object.
#[derive(Clone, Copy)]
pub(crate) struct ObjectTraits {
    /// The code of an unknown key, where it has one of its own.
    pub(crate) unknown: Option<Code>,
    /// Further keywords for its schema: what its keys mean to each other.
    pub(crate) rules: Option<fn() -> Map<String, Value>>,
}

impl ObjectTraits {
    pub(crate) const NONE: Self = Self { unknown: None, rules: None };
}

/// One key of an object, for its schema.
pub(crate) struct FieldShape {
    pub(crate) key: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) presence: Presence,
    pub(crate) schema: Value,
}

/// Declares an object: `key: Type;`, `key: Type, required;`, `name = "key": Type;`. The comments become descriptions.
/// Keys beneath `checked` must be right like the others, and what they say is for somebody else.
macro_rules! object {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident $(, $trait:ident = $value:expr)* ;
        $( $(#[doc = $field_doc:literal])+
            $field:ident $(= $key:literal)? : $type:ty $(, $mark:ident)? ; )*
        $( checked {
            $( $(#[doc = $checked_doc:literal])+
                $checked:ident $(= $checked_key:literal)? : $checked_type:ty $(, $checked_mark:ident)? ; )+
        } )?
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        $vis struct $name {
            $( $(#[doc = $field_doc])+ $vis $field: $crate::reader::Field<$type>, )*
        }

        impl $name {
            $vis const KEYS: &[&str] = &[
                $( $crate::reader::object!(@key $field $($key)?), )*
                $( $( $crate::reader::object!(@key $checked $($checked_key)?), )+ )?
            ];
            const TRAITS: $crate::reader::ObjectTraits = $crate::reader::ObjectTraits {
                $( $trait: Some($value), )*
                ..$crate::reader::ObjectTraits::NONE
            };
        }

        impl $crate::reader::Shape for $name {
            fn read(
                node: &$crate::yaml::Node,
                findings: &mut $crate::reader::Findings<'_>,
            ) -> Option<Self> {
                let entries = $crate::reader::Entries::of(node, findings)?;
                entries.refuse_unknown(Self::KEYS, Self::TRAITS.unknown, findings);
                $( $( entries.check::<$checked_type>(
                    $crate::reader::object!(@key $checked $($checked_key)?),
                    $crate::reader::object!(@required $($checked_mark)?),
                    findings,
                ); )+ )?
                Some(Self {
                    $( $field: entries.field(
                        $crate::reader::object!(@key $field $($key)?),
                        $crate::reader::object!(@required $($mark)?),
                        findings,
                    ), )*
                })
            }

            fn schema(definitions: &mut $crate::schema::Definitions) -> serde_json::Value {
                definitions.object(
                    stringify!($name),
                    concat!($($doc),+),
                    Self::TRAITS.rules,
                    |definitions| vec![
                        $( $crate::reader::FieldShape {
                            key: $crate::reader::object!(@key $field $($key)?),
                            doc: concat!($($field_doc),+),
                            presence: $crate::reader::object!(@required $($mark)?),
                            schema: <$type as $crate::reader::Shape>::schema(definitions),
                        }, )*
                        $( $( $crate::reader::FieldShape {
                            key: $crate::reader::object!(@key $checked $($checked_key)?),
                            doc: concat!($($checked_doc),+),
                            presence: $crate::reader::object!(@required $($checked_mark)?),
                            schema: <$checked_type as $crate::reader::Shape>::schema(definitions),
                        }, )+ )?
                    ],
                )
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@required) => { $crate::reader::Presence::Optional };
    (@required required) => { $crate::reader::Presence::Required };
}

pub(crate) use object;

/// Whether a key must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Optional,
    Required,
}

/// The entries of a mapping that is being read.
pub(crate) struct Entries<'n>(&'n [Entry]);

impl<'n> Entries<'n> {
    pub(crate) fn of(node: &'n Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(entries) => Some(Self(entries)),
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "a mapping");
                None
            }
        }
    }

    /// Reads the value of `key`.
    pub(crate) fn field<T: Shape>(
        &self,
        key: &str,
        presence: Presence,
        findings: &mut Findings<'_>,
    ) -> Field<T> {
        let Some(entry) = self.0.iter().find(|entry| entry.key == key) else {
            if presence == Presence::Required {
                findings.missing(key);
            }
            return Field::Absent;
        };
        let place = entry.key_place;
        let read =
            findings.within(format!("`{key}`"), place, |findings| T::read(&entry.value, findings));
        read.map_or(Field::Bad(place), |value| Field::Given(place, value))
    }

    /// Reads the value of `key` for what is wrong with it.
    pub(crate) fn check<T: Shape>(
        &self,
        key: &str,
        presence: Presence,
        findings: &mut Findings<'_>,
    ) {
        drop(self.field::<T>(key, presence, findings));
    }

    pub(crate) fn refuse_unknown(
        &self,
        known: &[&str],
        code: Option<Code>,
        findings: &mut Findings<'_>,
    ) {
        let code = code.unwrap_or(findings.dialect().unknown);
        for (key, place, _) in self.all().filter(|(key, ..)| !known.contains(key)) {
            findings.unknown_key(code, key, place, known);
        }
    }

    /// The keys that are there, their places and values.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'n str, Place, &'n Node)> + use<'n> {
        self.0.iter().map(|entry| (entry.key.as_str(), entry.key_place, &entry.value))
    }
}
