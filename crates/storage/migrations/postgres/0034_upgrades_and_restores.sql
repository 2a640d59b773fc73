-- Which programs can work on the schema after each migration, by the number of the newest migration that they know, and which program
-- applied it. Empty in the rows of earlier migrations.
alter table schema_migrations add column oldest_program bigint;
alter table schema_migrations add column applied_by text;

-- What else is known about the subject of an alarm, as the number of an order that a restored copy does not have.
alter table alarms add column detail text;
