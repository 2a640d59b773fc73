create index concurrently transfers_by_booking_reference on transfers (booking_reference) where booking_reference is not null
