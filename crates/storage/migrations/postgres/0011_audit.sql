-- The audit trail: who did what, on what, when and from where. Personal data is masked before it is stored.
--
-- Events are appended and never changed. The worker seals them in order: it fills the empty sequence and hash once, and each
-- hash covers the event and the hash of the one before. No column refers to another table, so an event outlives what it is about.

create table audit_events (
    id uuid primary key not null,
    created_at bigint not null,
    actor text not null check (actor in ('notary', 'stranger', 'operator', 'worker')),
    actor_id uuid,
    actor_name text,
    action text not null,
    notary_id uuid,
    order_id uuid,
    object_kind text,
    object_id text,
    changes text not null,
    network text,
    browser text,
    sequence bigint unique check (sequence > 0),
    hash bytea check (length(hash) = 32),
    check ((actor = 'notary') = (actor_id is not null)),
    check ((actor = 'operator') = (actor_name is not null)),
    check ((object_kind is null) = (object_id is null)),
    check ((sequence is null) = (hash is null))
);
create index audit_events_by_time on audit_events (created_at, id);
create index audit_events_by_notary on audit_events (notary_id, created_at, id) where notary_id is not null;
create index audit_events_by_order on audit_events (order_id, created_at, id) where order_id is not null;
create index audit_events_unsealed on audit_events (created_at, id) where sequence is null;

-- Where the trail begins after its oldest events were removed: the number and the hash of the last removed one. The newest row counts.
create table audit_starts (
    sequence bigint primary key not null check (sequence > 0),
    hash bytea not null check (length(hash) = 32),
    created_at bigint not null
);

create function audit_refuse() returns trigger language plpgsql as $$
begin
    raise exception using errcode = 'check_violation', constraint = tg_table_name || '_append_only',
        message = tg_table_name || ' only grows';
end
$$;

create trigger audit_events_are_inserted_unsealed before insert on audit_events
    for each row when (new.sequence is not null) execute function audit_refuse();
create trigger audit_events_are_not_updated before update on audit_events
    for each row when (not (
        old.sequence is null and new.sequence is not null
        and (old.id, old.created_at, old.actor, old.actor_id, old.actor_name, old.action, old.notary_id, old.order_id,
             old.object_kind, old.object_id, old.changes, old.network, old.browser)
            is not distinct from
            (new.id, new.created_at, new.actor, new.actor_id, new.actor_name, new.action, new.notary_id, new.order_id,
             new.object_kind, new.object_id, new.changes, new.network, new.browser)
    )) execute function audit_refuse();

create function audit_events_keep() returns trigger language plpgsql as $$
begin
    if old.sequence is null or not exists (select from audit_starts s where s.sequence >= old.sequence) then
        raise exception using errcode = 'check_violation', constraint = 'audit_events_append_only',
            message = 'audit_events only grows';
    end if;
    return old;
end
$$;
create trigger audit_events_are_not_deleted before delete on audit_events
    for each row execute function audit_events_keep();
create trigger audit_events_are_not_truncated before truncate on audit_events
    for each statement execute function audit_refuse();

create function audit_starts_name() returns trigger language plpgsql as $$
begin
    if not exists (select from audit_events e where e.sequence = new.sequence and e.hash = new.hash) then
        raise exception using errcode = 'check_violation', constraint = 'audit_starts_append_only',
            message = 'audit_starts names no event';
    end if;
    return new;
end
$$;
create trigger audit_starts_name_an_event before insert on audit_starts
    for each row execute function audit_starts_name();
create trigger audit_starts_are_not_changed before update or delete on audit_starts
    for each row execute function audit_refuse();
create trigger audit_starts_are_not_truncated before truncate on audit_starts
    for each statement execute function audit_refuse();
