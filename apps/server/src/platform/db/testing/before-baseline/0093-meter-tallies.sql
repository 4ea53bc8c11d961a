-- How many readings were ever written of each product, and the sum of the first 60 bits of their digests: by it a reading
-- that was taken away is missed. The database counts, with each insert.
create table meter_tallies (
  product_type text constraint meter_tallies_pkey primary key,
  readings bigint not null,
  digests numeric not null
);

create function meter_reading_weight(digest text) returns numeric language sql immutable as $$
  select ('x' || left(digest, 15))::bit(60)::bigint::numeric
$$;
create function meter_readings_tally() returns trigger language plpgsql as $$
begin
  insert into meter_tallies (product_type, readings, digests)
    select product_type, count(*), sum(meter_reading_weight(digest)) from taken group by product_type
    on conflict (product_type) do update set readings = meter_tallies.readings + excluded.readings,
      digests = meter_tallies.digests + excluded.digests;
  return null;
end $$;
create trigger meter_readings_tally after insert on meter_readings referencing new table as taken
  for each statement execute function meter_readings_tally();

insert into meter_tallies (product_type, readings, digests)
  select product_type, count(*), sum(meter_reading_weight(digest)) from meter_readings group by product_type;
