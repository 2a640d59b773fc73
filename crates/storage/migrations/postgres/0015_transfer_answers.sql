-- What banks tell of a transfer, the number of its document, and a status of its own for what a refund called off.
alter table transfers drop constraint transfers_status_check;
alter table transfers add column document_number bigint;
alter table transfers add column value_date text;
alter table transfers add column uetr text;
alter table transfers add column bank_reference text;
alter table transfers add column credited_on text;
alter table transfers add column returned_on text;
-- When a file of the operator last changed it.
alter table transfers add column imported_at bigint;
update transfers t set document_number = numbered.number,
        status = case when reason = 'order_refunded' then 'called_off' else status end,
        reason = case when reason = 'order_refunded' then null
                      when status = 'returned' then coalesce(reason, '-') end
    from (select id, row_number() over (order by created_at, id) as number from transfers) numbered
    where numbered.id = t.id;
alter table transfers alter column document_number set not null;
alter table transfers add constraint transfers_document_number_key unique (document_number);
alter table transfers add constraint transfers_document_number_check check (document_number between 1 and 9999999999);
alter table transfers add constraint transfers_status_check
    check (status in ('planned', 'sent', 'credited', 'returned', 'called_off'));
alter table transfers add constraint transfers_reason_check check ((reason is not null) = (status = 'returned'));
alter table transfers add constraint transfers_credited_check check (credited_on is null or status in ('credited', 'returned'));
alter table transfers add constraint transfers_returned_check check (returned_on is null or status = 'returned');
create unique index transfers_by_uetr on transfers (uetr) where uetr is not null;
create index transfers_imported on transfers (imported_at) where imported_at is not null;
insert into counters (name, value)
    select 'document_number', max(document_number) from transfers having count(*) > 0;
