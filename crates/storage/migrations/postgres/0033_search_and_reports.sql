-- What a search of the archive and of the address book finds rows by (decision 51). SQLite reads its covering indexes.
--
-- The keys of a row: a hash of each three letters that stand together in one of its words, and of each phrase. They hold the notary and
-- about thirteen months (2^45 microseconds), so that what others have does not count, and the newest can be asked first. A part of a word
-- is found where all its keys are; then the rows themselves are compared.
create function search_keys(notary uuid, made_at bigint, words text, phrases bigint[]) returns bigint[]
    language plpgsql immutable strict parallel safe cost 10000 as $$
declare
    seed bigint := uuid_hash_extended(notary, made_at >> 45);
begin
    return array(
        select hashtextextended(substr(word, place, 3), seed)
        from (select distinct word from string_to_table(words, ' ') word) distinct_words, generate_series(1, length(word) - 2) place
        union all select hashint8extended(phrase, seed) from unnest(phrases) phrase);
end $$;
-- The keys that a phrase may have, up to the year 2112.
create function phrase_keys(notary uuid, phrase bigint) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
    return array(select hashint8extended(phrase, uuid_hash_extended(notary, period)) from generate_series(0, 127) period);
end $$;

-- What search texts of payments have besides sums: recipient, codes and service. The same few return in the orders of a notary.
create table search_phrases (
    notary_id uuid not null references notaries (id),
    id bigint not null,
    text text not null,
    primary key (notary_id, id)
);
-- The sums and the phrase of each payment. Sums stand first.
create view item_phrases as
    select i.order_id, o.notary_id, left(i.search_text, length(i.search_text) - length(split.phrase)) as sums, split.phrase,
        hashtextextended(split.phrase, 0) as phrase_id
    from order_items i join orders o on o.id = i.order_id
        cross join lateral (select regexp_replace(i.search_text, '^( [0-9]+\.[0-9]{2}( \|)?(?= ))+', '') as phrase) split
    where i.search_text is not null;

create table order_search (
    order_id uuid primary key references orders (id),
    notary_id uuid not null,
    created_at bigint not null,
    words text not null,
    phrases bigint[] not null
);
create view order_search_source as
    select o.id as order_id, o.notary_id, o.created_at,
        concat_ws(' ', o.search_text, concat(o.sum / 100, '.', lpad(cast(o.sum % 100 as text), 2, '0')),
            (select string_agg(p.sums, ' ') from item_phrases p where p.order_id = o.id)) as words,
        array(select distinct p.phrase_id from item_phrases p where p.order_id = o.id and p.phrase <> '') as phrases
    from orders o;
insert into search_phrases (notary_id, id, text)
    select distinct notary_id, phrase_id, phrase from item_phrases where phrase <> '' on conflict do nothing;
insert into order_search (order_id, notary_id, created_at, words, phrases)
    select order_id, notary_id, created_at, words, phrases from order_search_source;
-- Without a list of pending entries: every search would have to read it.
create index order_search_by_keys on order_search using gin (search_keys(notary_id, created_at, words, phrases)) with (fastupdate = off);
alter index order_search_by_keys alter column 1 set statistics 0;

-- The clients of the address book. The table of clients changes with each payment, and this one does not.
create table client_search (
    client_id uuid primary key references clients (id) on delete cascade,
    notary_id uuid not null,
    words text not null
);
insert into client_search (client_id, notary_id, words) select id, notary_id, search_key from clients where search_key is not null;
create index client_search_by_keys on client_search using gin (search_keys(notary_id, 0, words, '{}')) with (fastupdate = off);
alter index client_search_by_keys alter column 1 set statistics 0;

-- The acquirer's reports by the month in which they came (decision 51). An old month is taken away as a file, and its partition is dropped.
-- By its digest a repeated report is recognised afterwards as well, so the digests stand apart and stay.
create table acquirer_report_digests (
    body_digest bytea primary key check (length(body_digest) = 32),
    report_id uuid not null
);
insert into acquirer_report_digests (body_digest, report_id) select body_digest, id from acquirer_reports;
alter table acquirer_reports rename to acquirer_reports_before;
alter index acquirer_reports_by_invoice rename to acquirer_reports_before_by_invoice;
alter index acquirer_reports_with_body rename to acquirer_reports_before_with_body;
alter table acquirer_reports_before drop constraint acquirer_reports_pkey;
alter table acquirer_reports_before drop column body_digest;
create table acquirer_reports (
    id uuid not null,
    received_at bigint not null,
    invoice_id text,
    modified_at bigint,
    body bytea not null,
    signature text,
    verdict text not null,
    primary key (received_at, id)
) partition by range (received_at);
create index acquirer_reports_by_invoice on acquirer_reports (invoice_id);
create index acquirer_reports_with_body on acquirer_reports (received_at) where length(body) > 0;
-- What came in a month that has no partition yet. The worker makes those of the next months.
create table acquirer_reports_other partition of acquirer_reports default;
-- The reports so far are not moved: their table becomes the partition up to the end of the month.
do $$
declare
    newest bigint := (select max(received_at) from acquirer_reports_before);
begin
    if newest is null then
        drop table acquirer_reports_before;
    else
        execute format('alter table acquirer_reports attach partition acquirer_reports_before for values from (minvalue) to (%s)',
            cast(extract(epoch from date_trunc('month', greatest(to_timestamp(newest / 1000000), now()) at time zone 'UTC') + interval '1 month')
                as bigint) * 1000000);
    end if;
end $$;
