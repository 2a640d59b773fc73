-- Who charges the card of an attempt. A saved card is charged by monobank alone.
alter table attempts add column acquirer text not null default 'monobank'
    check (acquirer = 'monobank' or (acquirer = 'liqpay' and kind = 'invoice'));

-- Who sent a report.
alter table acquirer_reports add column acquirer text not null default 'monobank' check (acquirer in ('monobank', 'liqpay'));
