-- The audit trail: who did what, on what, when and from where. Personal data is masked before it is stored.
--
-- Events are appended and never changed. The worker seals them in order: it fills the empty sequence and hash once, and each
-- hash covers the event and the hash of the one before. No column refers to another table, so an event outlives what it is about.

create table audit_events (
    id blob primary key not null check (length(id) = 16),
    created_at integer not null,
    actor text not null check (actor in ('notary', 'stranger', 'operator', 'worker')),
    actor_id blob check (length(actor_id) = 16),
    actor_name text,
    action text not null,
    notary_id blob check (length(notary_id) = 16),
    order_id blob check (length(order_id) = 16),
    object_kind text,
    object_id text,
    changes text not null,
    network text,
    browser text,
    sequence integer unique check (sequence > 0),
    hash blob check (length(hash) = 32),
    check ((actor = 'notary') = (actor_id is not null)),
    check ((actor = 'operator') = (actor_name is not null)),
    check ((object_kind is null) = (object_id is null)),
    check ((sequence is null) = (hash is null))
) strict;
create index audit_events_by_time on audit_events (created_at, id);
create index audit_events_by_notary on audit_events (notary_id, created_at, id) where notary_id is not null;
create index audit_events_by_order on audit_events (order_id, created_at, id) where order_id is not null;
create index audit_events_unsealed on audit_events (created_at, id) where sequence is null;

-- Where the trail begins after its oldest events were removed: the number and the hash of the last removed one. The newest row counts.
create table audit_starts (
    sequence integer primary key not null check (sequence > 0),
    hash blob not null check (length(hash) = 32),
    created_at integer not null
) strict;

create trigger audit_events_are_inserted_unsealed before insert on audit_events when new.sequence is not null
begin
    select raise(abort, 'constraint failed: audit_events_append_only');
end;
-- "Insert or replace" would delete the row without a trigger.
create trigger audit_events_are_not_replaced before insert on audit_events
when exists (select 1 from audit_events e where e.id = new.id)
begin
    select raise(ignore);
end;
create trigger audit_events_are_not_updated before update on audit_events
when not (
    old.sequence is null and new.sequence is not null
    and not exists (select 1 from audit_events e where e.sequence = new.sequence)
    and old.id is new.id and old.created_at is new.created_at and old.actor is new.actor and old.actor_id is new.actor_id
    and old.actor_name is new.actor_name and old.action is new.action and old.notary_id is new.notary_id
    and old.order_id is new.order_id and old.object_kind is new.object_kind and old.object_id is new.object_id
    and old.changes is new.changes and old.network is new.network and old.browser is new.browser
)
begin
    select raise(abort, 'constraint failed: audit_events_append_only');
end;
create trigger audit_events_are_not_deleted before delete on audit_events
when old.sequence is null or not exists (select 1 from audit_starts s where s.sequence >= old.sequence)
begin
    select raise(abort, 'constraint failed: audit_events_append_only');
end;

create trigger audit_starts_name_an_event before insert on audit_starts
when not exists (select 1 from audit_events e where e.sequence = new.sequence and e.hash = new.hash)
begin
    select raise(abort, 'constraint failed: audit_starts_append_only');
end;
create trigger audit_starts_are_not_updated before update on audit_starts
begin
    select raise(abort, 'constraint failed: audit_starts_append_only');
end;
create trigger audit_starts_are_not_deleted before delete on audit_starts
begin
    select raise(abort, 'constraint failed: audit_starts_append_only');
end;
