-- How many wrong endings of the client's code were entered on the page of a letter with a receipt. After a few the page gives none.
alter table receipt_consents add column wrong_tries integer not null default 0 check (wrong_tries >= 0);

-- The address that refused letters by one of them, as a digest with a key that is not in the database. None: the client refused letters to any.
alter table receipt_mail add column refused_address blob;

-- Since when an account asks for another name.
alter table notaries add column name_requested_at integer;
update notaries set name_requested_at = updated_at where requested_name is not null;
