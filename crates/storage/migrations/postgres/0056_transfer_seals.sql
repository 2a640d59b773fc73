-- What a transfer says is sealed when it is planned, by a key that is not in the database. Those of earlier programs have no seal.
alter table transfers add column seal bytea check (length(seal) = 32);
