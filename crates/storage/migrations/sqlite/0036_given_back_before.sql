-- What the acquirer had given back of the charge before a refund was begun. Empty in the rows of earlier programs.
alter table refunds add column given_back_before integer check (given_back_before >= 0);
