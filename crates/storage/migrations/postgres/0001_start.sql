create table beginning (id bigint primary key, amount bigint not null);
