-- What was asked to be erased, and which orders no longer name anybody.
--
-- A client who asked stays while an order must name the client for bookkeeping. An erased account stays as a row without personal
-- data, because its orders refer to it.
alter table clients add column erased_at integer;
create index clients_erased on clients (erased_at) where erased_at is not null;
alter table notaries add column erased_at integer;
create index notaries_erased on notaries (erased_at) where erased_at is not null;
alter table orders add column anonymised_at integer;
create index orders_named on orders (updated_at, id) where anonymised_at is null;
-- What grows old and is looked for by its age.
create index acquirer_reports_with_body on acquirer_reports (received_at) where length(body) > 0;
create index complaints_by_age on complaints (created_at);
