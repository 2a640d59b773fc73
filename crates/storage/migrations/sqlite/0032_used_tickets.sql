-- Tickets that were exchanged for a cookie, so that each is good once, whichever process it comes to.
create table used_tickets (
    id text primary key not null,
    until integer not null
) strict, without rowid;
create index used_tickets_by_time on used_tickets (until);
