-- Whether the notary wants to be called back because of a complaint. Null where only the letter to the support says so: of earlier
-- complaints, and of those of earlier programs.
alter table complaints add column call_back integer check (call_back in (0, 1));
