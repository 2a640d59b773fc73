-- The year of filing whose fee a payment takes, where that was not the year of the day on which it was added.
alter table cart_items add column filing_year bigint check (filing_year between 2000 and 9998);
alter table order_items add column filing_year bigint check (filing_year between 2000 and 9998);
