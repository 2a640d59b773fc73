//! Parameters of statements: a small set of types that both databases have.

use std::fmt;

use jiff::Timestamp;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql as PostgresToSql, Type};
use rusqlite::types::{ToSqlOutput, ValueRef};
use uuid::Uuid;

/// One parameter, borrowed by the `params!` macro.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Null,
    Integer(i64),
    Bool(bool),
    Uuid(Uuid),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// Builds the parameters of a statement, each through [`Bind`].
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::engine::value::Bind::value(&$value)),*] };
}
pub(crate) use params;

/// Shows the kind alone: a parameter may be a phone number.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Null => "null",
            Value::Integer(_) => "integer",
            Value::Bool(_) => "bool",
            Value::Uuid(_) => "uuid",
            Value::Text(_) => "text",
            Value::Bytes(_) => "bytes",
        })
    }
}

/// A type that can be a parameter.
pub(crate) trait Bind {
    fn value(&self) -> Value<'_>;
}

impl Bind for i64 {
    fn value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl Bind for u8 {
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Bind for u32 {
    fn value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Bind for bool {
    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl Bind for Uuid {
    fn value(&self) -> Value<'_> {
        Value::Uuid(*self)
    }
}

impl Bind for str {
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Bind for String {
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Bind for [u8] {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl Bind for Vec<u8> {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

impl<const N: usize> Bind for [u8; N] {
    fn value(&self) -> Value<'_> {
        Value::Bytes(self)
    }
}

/// Moments are stored as whole microseconds since 1970, UTC; finer parts are cut off.
impl Bind for Timestamp {
    fn value(&self) -> Value<'_> {
        Value::Integer(self.as_microsecond())
    }
}

/// Returns a moment as it will be read again.
pub(crate) fn as_stored(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}

impl<T: Bind> Bind for Option<T> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Bind::value)
    }
}

impl<T: Bind + ?Sized> Bind for &T {
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Bool(value) => ValueRef::Integer(i64::from(*value)),
            Value::Uuid(value) => ValueRef::Blob(value.as_bytes()),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

impl PostgresToSql for Value<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, ty) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(value), &Type::INT8) => value.to_sql(ty, out),
            (Value::Integer(value), &Type::INT4) => i32::try_from(*value)?.to_sql(ty, out),
            (Value::Bool(value), &Type::BOOL) => value.to_sql(ty, out),
            (Value::Uuid(value), &Type::UUID) => {
                out.extend_from_slice(value.as_bytes());
                Ok(IsNull::No)
            }
            (Value::Text(value), &Type::TEXT | &Type::VARCHAR | &Type::NAME) => {
                value.to_sql(ty, out)
            }
            (Value::Bytes(value), &Type::BYTEA) => value.to_sql(ty, out),
            _ => Err(format!("a parameter of sort {self:?} stands where {ty} is needed").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Decided in `to_sql`, where the kind of the value is known.
        true
    }

    postgres::types::to_sql_checked!();
}
