create unique index if not exists order_items_by_credit on order_items (iban, credited_reference) where credited_reference is not null
