-- How many wrong endings of the client's code were entered on the page of a letter with a receipt. After a few the page gives none.
alter table receipt_consents add column wrong_tries integer not null default 0 check (wrong_tries >= 0);

-- Since when an account asks for another name.
alter table notaries add column name_requested_at integer;
update notaries set name_requested_at = updated_at where requested_name is not null;
