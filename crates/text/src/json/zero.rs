// SPDX-License-Identifier: Apache-2.0
//! A deserializer of the zero values of types, which are what `null` is in Go.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::failure::Failure;

/// The name by which `serde_json` asks for the text of a value.
pub(super) const RAW: &str = "$serde_json::private::RawValue";

/// The zero value of a type.
pub(super) struct Zero;

/// Passes the zero value of a type to a visitor.
macro_rules! zero {
    ($($method:ident => $visit:ident($value:expr);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Zero {
    type Error = Failure;

    zero! {
        deserialize_bool => visit_bool(false);
        deserialize_i8 => visit_u64(0);
        deserialize_i16 => visit_u64(0);
        deserialize_i32 => visit_u64(0);
        deserialize_i64 => visit_u64(0);
        deserialize_u8 => visit_u64(0);
        deserialize_u16 => visit_u64(0);
        deserialize_u32 => visit_u64(0);
        deserialize_u64 => visit_u64(0);
        deserialize_f32 => visit_u64(0);
        deserialize_f64 => visit_u64(0);
        deserialize_str => visit_borrowed_str("");
        deserialize_string => visit_borrowed_str("");
        deserialize_seq => visit_seq(Nothing);
        deserialize_map => visit_map(Nothing);
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match name {
            RAW => visitor.visit_map(Raw(Some("null"))),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_map(Nothing)
    }

    forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct tuple tuple_struct enum identifier ignored_any
    }
}

/// The content of an empty list or object.
struct Nothing;

impl<'de> SeqAccess<'de> for Nothing {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        _: S,
    ) -> Result<Option<S::Value>, Failure> {
        Ok(None)
    }
}

impl<'de> MapAccess<'de> for Nothing {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        _: S,
    ) -> Result<Option<S::Value>, Failure> {
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        seed.deserialize(Zero)
    }
}

/// The text of a value, in the form in which `serde_json` takes it.
pub(super) struct Raw<'de>(pub(super) Option<&'de str>);

impl<'de> MapAccess<'de> for Raw<'de> {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        seed.deserialize(BorrowedStrDeserializer::new(RAW)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        let text = self.0.take().unwrap_or("null");
        seed.deserialize(BorrowedStrDeserializer::new(text))
    }
}
