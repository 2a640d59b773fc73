-- When a complaint was answered or closed, and what the notary was told. No answer: it was closed without one.
alter table complaints add column closed_at integer;
alter table complaints add column answer text;
create index complaints_open on complaints (created_at, id) where closed_at is null;

-- What the support looks orders of all notaries up by.
create index clients_by_inn on clients (inn);
create index attempts_by_rrn on attempts (rrn) where rrn is not null;
