insert into product (id, name, price)
select n, 'Product ' || n, cast(1 + mod(n * 37, 9900) / 100.0 as numeric(12, 2))
from generate_series(1, 100000) as numbers(n)
where not exists (select 1 from product);
