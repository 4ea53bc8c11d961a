-- The zone in which an account reads deadlines: an IANA name; null until its console sends one.
alter table accounts add column time_zone text check (length(time_zone) between 1 and 64);
