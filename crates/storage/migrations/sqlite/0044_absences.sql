-- What the acquirer lacked when it was asked last, read first and last by our clock (at) and by its own (as_of), and how often.
alter table attempts add column missing text;
alter table attempts add column missing_first_at integer;
alter table attempts add column missing_first_as_of integer;
alter table attempts add column missing_last_at integer;
alter table attempts add column missing_last_as_of integer;
alter table attempts add column missing_readings integer;
alter table refunds add column missing text;
alter table refunds add column missing_first_at integer;
alter table refunds add column missing_first_as_of integer;
alter table refunds add column missing_last_at integer;
alter table refunds add column missing_last_as_of integer;
alter table refunds add column missing_readings integer;
