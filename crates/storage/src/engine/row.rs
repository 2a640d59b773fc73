//! Rows of a result, read column by column into Rust types.

use jiff::Timestamp;
use postgres::types::Type;
use rusqlite::types::ValueRef;
use uuid::Uuid;

use crate::engine::error::{Result, StorageError};

/// One row of a result.
///
/// [`Row::next`] reads the columns from left to right, in the order of the `select` list. It is fast and the usual way;
/// the list of columns stands next to the reading function. [`Row::get`] reads by position or name.
pub(crate) struct Row<'r> {
    source: Source<'r>,
    sql: &'r str,
    position: usize,
}

enum Source<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r postgres::Row),
}

/// The columns that identify a row in an error, in the order of preference.
const KEY_COLUMNS: [&str; 3] = ["id", "order_id", "notary_id"];

/// A stored value as both databases give it.
#[derive(Clone, Copy)]
pub(crate) enum Column<'r> {
    Null,
    Integer(i64),
    Bool(bool),
    Uuid(Uuid),
    Text(&'r str),
    Bytes(&'r [u8]),
}

impl Column<'_> {
    fn kind(self) -> &'static str {
        match self {
            Column::Null => "null",
            Column::Integer(_) => "an integer",
            Column::Bool(_) => "a boolean",
            Column::Uuid(_) => "a uuid",
            Column::Text(_) => "text",
            Column::Bytes(_) => "bytes",
        }
    }
}

/// What a column should have held. It never contains the value itself.
pub(crate) struct Misfit(pub(crate) &'static str);

/// A type that is read from one column.
pub(crate) trait FromColumn: Sized {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit>;
}

/// A column by its position, from 0, or by its name.
pub(crate) trait ColumnPlace: Copy {
    fn position(self, row: &Row<'_>) -> Result<usize>;
}

impl ColumnPlace for usize {
    fn position(self, _: &Row<'_>) -> Result<usize> {
        Ok(self)
    }
}

impl ColumnPlace for &str {
    fn position(self, row: &Row<'_>) -> Result<usize> {
        row.position_of(self)
            .ok_or_else(|| row.inconsistent(self, "the statement gives no such column"))
    }
}

/// Returns what was read of a row, or `None` where a stored value is not what its column requires. That is logged. For work on many rows
/// that one damaged row must not stop.
pub(crate) fn unless_damaged<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Err(error @ StorageError::Inconsistent { .. }) => {
            tracing::error!(%error, "A damaged row is left out: {error}");
            Ok(None)
        }
        read => read.map(Some),
    }
}

impl<'r> Row<'r> {
    pub(crate) fn sqlite(row: &'r rusqlite::Row<'r>, sql: &'r str) -> Self {
        Row {
            source: Source::Sqlite(row),
            sql,
            position: 0,
        }
    }

    pub(crate) fn postgres(row: &'r postgres::Row, sql: &'r str) -> Self {
        Row {
            source: Source::Postgres(row),
            sql,
            position: 0,
        }
    }

    /// Returns the next column.
    pub(crate) fn next<T: FromColumn>(&mut self) -> Result<T> {
        let position = self.position;
        self.position += 1;
        self.get(position)
    }

    /// Returns the next column, or `None` where its value can't be read. For values that are only shown: a spoilt one must not stop
    /// a payment from being settled.
    pub(crate) fn next_shown<T: FromColumn>(&mut self) -> Result<Option<T>> {
        match self.next() {
            Err(error @ StorageError::Inconsistent { .. }) => {
                tracing::warn!(%error, "A stored value can't be shown: {error}");
                Ok(None)
            }
            read => read,
        }
    }

    /// Skips so many columns.
    pub(crate) fn skip(&mut self, columns: usize) {
        self.position += columns;
    }

    /// Returns a column by position or name.
    pub(crate) fn get<T: FromColumn>(&self, place: impl ColumnPlace) -> Result<T> {
        let position = place.position(self)?;
        let column = self.column(position)?;
        T::from_column(column).map_err(|Misfit(expected)| {
            self.inconsistent(
                &self.name(position),
                &format!("expected {expected}, found {}", column.kind()),
            )
        })
    }

    fn column(&self, position: usize) -> Result<Column<'r>> {
        match self.source {
            Source::Sqlite(row) => {
                match row.get_ref(position) {
                    Ok(ValueRef::Null) => Ok(Column::Null),
                    Ok(ValueRef::Integer(value)) => Ok(Column::Integer(value)),
                    Ok(ValueRef::Blob(bytes)) => Ok(Column::Bytes(bytes)),
                    Ok(ValueRef::Text(bytes)) => {
                        std::str::from_utf8(bytes).map(Column::Text).map_err(|_| {
                            self.inconsistent(
                                &self.name(position),
                                "expected text, found bytes that are not UTF-8",
                            )
                        })
                    }
                    Ok(ValueRef::Real(_)) => {
                        Err(self.inconsistent(&self.name(position), "found a binary fraction"))
                    }
                    Err(_) => Err(self
                        .inconsistent(&position.to_string(), "the statement gives no such column")),
                }
            }
            Source::Postgres(row) => self.postgres_column(row, position),
        }
    }

    fn postgres_column(&self, row: &'r postgres::Row, position: usize) -> Result<Column<'r>> {
        let Some(column) = row.columns().get(position) else {
            return Err(
                self.inconsistent(&position.to_string(), "the statement gives no such column")
            );
        };
        let read = match *column.type_() {
            Type::INT8 => row
                .try_get(position)
                .map(|value: Option<i64>| value.map(Column::Integer)),
            Type::INT4 => row
                .try_get(position)
                .map(|value: Option<i32>| value.map(|value| Column::Integer(value.into()))),
            Type::BOOL => row
                .try_get(position)
                .map(|value: Option<bool>| value.map(Column::Bool)),
            Type::TEXT | Type::VARCHAR | Type::NAME => row
                .try_get(position)
                .map(|value: Option<&str>| value.map(Column::Text)),
            Type::BYTEA => row
                .try_get(position)
                .map(|value: Option<&[u8]>| value.map(Column::Bytes)),
            Type::UUID => row
                .try_get(position)
                .map(|value: Option<RawUuid>| value.map(|RawUuid(uuid)| Column::Uuid(uuid))),
            _ => {
                return Err(self.inconsistent(
                    column.name(),
                    &format!("the type {} is not in use here", column.type_()),
                ));
            }
        };
        match read {
            Ok(value) => Ok(value.unwrap_or(Column::Null)),
            Err(_) => Err(self.inconsistent(column.name(), "the value does not fit its type")),
        }
    }

    /// Returns the id of the row, if the statement reads one.
    fn id(&self) -> Option<String> {
        KEY_COLUMNS.iter().find_map(|name| {
            let position = self.position_of(name)?;
            let id = Uuid::from_column(self.column(position).ok()?).ok()?;
            Some(id.to_string())
        })
    }

    fn position_of(&self, name: &str) -> Option<usize> {
        match self.source {
            Source::Sqlite(row) => row.as_ref().column_index(name).ok(),
            Source::Postgres(row) => row
                .columns()
                .iter()
                .position(|column| column.name() == name),
        }
    }

    fn name(&self, position: usize) -> String {
        match self.source {
            Source::Sqlite(row) => row.as_ref().column_name(position).map(str::to_owned).ok(),
            Source::Postgres(row) => row
                .columns()
                .get(position)
                .map(|column| column.name().to_owned()),
        }
        .unwrap_or_else(|| position.to_string())
    }

    /// Returns an error that names table, row and column.
    pub(crate) fn inconsistent(&self, column: &str, reason: &str) -> StorageError {
        StorageError::Inconsistent {
            table: table_of(self.sql),
            id: self.id(),
            column: column.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// Returns the first name after `from`, `into` or `update`, for error texts.
pub(crate) fn table_of(sql: &str) -> String {
    let mut words = sql.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if ["from", "into", "update"].contains(&word)
            && let Some(table) = words.next()
        {
            return table
                .trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .to_owned();
        }
    }
    "the statement".to_owned()
}

/// A UUID in PostgreSQL's binary form of 16 bytes.
struct RawUuid(Uuid);

impl<'a> postgres::types::FromSql<'a> for RawUuid {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(RawUuid(Uuid::from_slice(raw)?))
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::UUID
    }
}

impl FromColumn for i64 {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Integer(value) => Ok(value),
            _ => Err(Misfit("an integer")),
        }
    }
}

impl FromColumn for u32 {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Integer(value) => {
                u32::try_from(value).map_err(|_| Misfit("a small integer from 0 upwards"))
            }
            _ => Err(Misfit("a small integer from 0 upwards")),
        }
    }
}

impl FromColumn for u8 {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        u32::from_column(column)?
            .try_into()
            .map_err(|_| Misfit("an integer from 0 to 255"))
    }
}

impl FromColumn for bool {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Bool(value) => Ok(value),
            Column::Integer(0) => Ok(false),
            Column::Integer(1) => Ok(true),
            _ => Err(Misfit("a boolean")),
        }
    }
}

impl FromColumn for String {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Text(value) => Ok(value.to_owned()),
            _ => Err(Misfit("text")),
        }
    }
}

impl FromColumn for Vec<u8> {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Bytes(value) => Ok(value.to_vec()),
            _ => Err(Misfit("bytes")),
        }
    }
}

impl<const N: usize> FromColumn for [u8; N] {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Bytes(value) => value
                .try_into()
                .map_err(|_| Misfit("bytes of a fixed length")),
            _ => Err(Misfit("bytes of a fixed length")),
        }
    }
}

impl FromColumn for Uuid {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Uuid(value) => Ok(value),
            Column::Bytes(value) => {
                Uuid::from_slice(value).map_err(|_| Misfit("a uuid of 16 bytes"))
            }
            _ => Err(Misfit("a uuid of 16 bytes")),
        }
    }
}

impl FromColumn for Timestamp {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Integer(value) => Timestamp::from_microsecond(value)
                .map_err(|_| Misfit("microseconds within the years known")),
            _ => Err(Misfit("microseconds since 1970")),
        }
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(column: Column<'_>) -> Result<Self, Misfit> {
        match column {
            Column::Null => Ok(None),
            other => T::from_column(other).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::table_of;

    #[test]
    fn an_error_names_the_table_of_its_statement() {
        for (sql, table) in [
            ("select id from notaries where id = ?1", "notaries"),
            ("insert into cart_items (id) values (?1)", "cart_items"),
            ("update orders\n set status = ?2", "orders"),
            ("select 1", "the statement"),
        ] {
            assert_eq!(table_of(sql), table);
        }
    }
}
