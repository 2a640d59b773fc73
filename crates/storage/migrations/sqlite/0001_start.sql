create table beginning (id integer primary key, amount integer not null) strict;
