-- The statements that ask for these rows read their tables from end to end.
create index outbox_parked on outbox (parked_at, id) where parked_at is not null;
create index alarms_closed on alarms (kind, subject) where closed_at is not null;
create index refunds_by_transfer on refunds (transfer_id) where transfer_id is not null;
