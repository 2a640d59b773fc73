-- A link stands only where it leads to a page that can be paid.
update orders set widget_url = null where status not in ('pending', 'failed') or payment_state = 'under_review';
-- When a row's next try was set. One that lies in the future tells that the clock was set back since.
alter table outbox add column scheduled_at integer;
