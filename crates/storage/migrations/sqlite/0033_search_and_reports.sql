-- The search of the archive reads the indexes `orders_by_notary` and `order_items_by_search`; only PostgreSQL has more (decision 51).

-- By its digest a repeated report of the acquirer is recognised also after the month in which it came was taken away as a file, so the
-- digests stand apart and stay. On PostgreSQL the reports are partitioned by month.
create table acquirer_report_digests (
    body_digest blob primary key not null check (length(body_digest) = 32),
    report_id blob not null check (length(report_id) = 16)
) strict, without rowid;
insert into acquirer_report_digests (body_digest, report_id) select body_digest, id from acquirer_reports;
alter table acquirer_reports rename to acquirer_reports_before;
create table acquirer_reports (
    id blob not null check (length(id) = 16),
    received_at integer not null,
    invoice_id text,
    modified_at integer,
    body blob not null,
    signature text,
    verdict text not null,
    primary key (received_at, id)
) strict;
insert into acquirer_reports (id, received_at, invoice_id, modified_at, body, signature, verdict)
    select id, received_at, invoice_id, modified_at, body, signature, verdict from acquirer_reports_before;
drop table acquirer_reports_before;
create index acquirer_reports_by_invoice on acquirer_reports (invoice_id);
create index acquirer_reports_with_body on acquirer_reports (received_at) where length(body) > 0;
