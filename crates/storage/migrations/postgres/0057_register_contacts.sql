-- The contacts of the register, to which the code goes that confirms an account.
alter table register_rows add column phone text;
alter table register_rows add column email text;
-- The same file must be read once more for them.
update register_loads set fingerprint = decode(repeat('00', 32), 'hex');

-- The row whose contact was sent the code of an operation. It confirms the account of the operation alone.
create table register_proofs (
    id uuid primary key references login_operations (id) on delete cascade,
    register_key text not null
);
create index register_proofs_by_row on register_proofs (register_key);

-- The name that the owner of a confirmed account has asked for. Papers and letters carry the confirmed one until the operator decides.
alter table notaries add column requested_name text;
create index notaries_with_requested_name on notaries (id) where requested_name is not null;
