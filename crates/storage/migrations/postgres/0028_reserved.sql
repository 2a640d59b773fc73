-- Nothing: the number is taken by a change that comes with another branch.
select 1;
