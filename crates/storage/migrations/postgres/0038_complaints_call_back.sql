-- Whether the notary wants to be called back because of a complaint. Of earlier complaints only the letter to the support said so.
alter table complaints add column call_back boolean not null default false;
