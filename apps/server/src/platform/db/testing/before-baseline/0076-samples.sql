-- Samples of instances, gathered where they arrive: the newest of each, parts of minutes, and five minutes made of
-- those. They replace a row every 5 s. Times are those of arrival. Partitions are made ahead and dropped (job
-- samples.tend, module observe); whose a series is follows from its instance (module clusters).

-- A series is what an instance measures. A row goes with its instance; its samples are then found no more, and go with
-- their partitions.
create table sample_series (
  series integer generated always as identity constraint sample_series_pkey primary key,
  instance_id text not null constraint sample_series_instance_id_key unique
);

-- The newest sample, written at most every 15 s. No column but the key is in an index, and pages keep room: updates
-- stay on their page.
create table latest_samples (
  series integer constraint latest_samples_pkey primary key
    constraint latest_samples_series_fkey references sample_series on delete cascade,
  at timestamptz not null,
  cpu real not null,
  memory_used bigint not null,
  memory_total bigint not null,
  disk_used bigint not null,
  disk_total bigint not null
) with (fillfactor = 70);

-- What a process heard of an instance within a minute: at is when its last sample came, so that the same part counts
-- once and what two processes heard stands side by side. A partition is an hour (UTC). The columns stand by size.
create table minute_samples (
  at timestamptz not null,
  memory bigint not null,
  memory_max bigint not null,
  disk bigint not null,
  -- Counters since the agent started, at the last sample; a part ends where one of them falls.
  net_in bigint not null,
  net_out bigint not null,
  series integer not null,
  cpu real not null,
  cpu_max real not null,
  samples smallint not null,
  constraint minute_samples_pkey primary key (series, at)
) partition by range (at);

-- Five minutes from at on, made of their minutes. A partition is a day (UTC), written hour by hour in order of series.
create table five_minute_samples (
  at timestamptz not null,
  memory bigint not null,
  memory_max bigint not null,
  disk bigint not null,
  -- What the counters rose by, and over how many seconds that is known.
  bytes_in bigint not null,
  bytes_out bigint not null,
  series integer not null,
  cpu real not null,
  cpu_max real not null,
  seconds real not null,
  samples smallint not null,
  constraint five_minute_samples_pkey primary key (series, at)
) partition by range (at);

-- Hours that have minutes. rolled_at null: not in five_minute_samples as they are now.
create table sample_hours (
  hour timestamptz constraint sample_hours_pkey primary key,
  rolled_at timestamptz
);

-- What was measured so far: minutes of the last hours, five minutes of what is kept but for the hour that goes on.
do $$
declare
  this_hour timestamptz := date_trunc('hour', now(), 'UTC');
  this_day timestamptz := date_trunc('day', now(), 'UTC');
begin
  for n in -25..3 loop
    execute format('create table %I partition of minute_samples for values from (%L) to (%L)',
      'minute_samples_' || to_char((this_hour + n * interval '1 hour') at time zone 'UTC', 'YYYYMMDDHH24'),
      this_hour + n * interval '1 hour', this_hour + (n + 1) * interval '1 hour');
  end loop;
  for n in -7..2 loop
    execute format('create table %I partition of five_minute_samples for values from (%L) to (%L)',
      'five_minute_samples_' || to_char((this_day + n * interval '24 hours') at time zone 'UTC', 'YYYYMMDDHH24'),
      this_day + n * interval '24 hours', this_day + (n + 1) * interval '24 hours');
  end loop;

  insert into sample_series (instance_id) select distinct instance_id from agent_metrics order by instance_id;
  insert into latest_samples (series, at, cpu, memory_used, memory_total, disk_used, disk_total)
    select distinct on (s.series) s.series, m.at, m.cpu, m.memory_used, m.memory_total, m.disk_used, m.disk_total
    from agent_metrics as m join sample_series as s using (instance_id) order by s.series, m.at desc;
  insert into sample_hours (hour)
    select this_hour where exists (select from agent_metrics where at >= this_hour);

  insert into minute_samples (at, memory, memory_max, disk, net_in, net_out, series, cpu, cpu_max, samples)
    with steps as (
      select m.*, s.series,
        (m.net_in < lag(m.net_in) over w or m.net_out < lag(m.net_out) over w)::int as fell
      from agent_metrics as m join sample_series as s using (instance_id)
      where m.at >= this_hour - interval '25 hours' and m.at < this_hour + interval '4 hours'
      window w as (partition by m.instance_id order by m.at)
    ), runs as (
      select *, coalesce(sum(fell) over (partition by series order by at), 0) as run from steps
    )
    select max(at), avg(memory_used), max(memory_used), avg(disk_used), (array_agg(net_in order by at desc))[1],
      (array_agg(net_out order by at desc))[1], series, avg(cpu), max(cpu), count(*)
    from runs group by series, date_trunc('minute', at), run order by series, max(at);

  insert into five_minute_samples
    (at, memory, memory_max, disk, bytes_in, bytes_out, series, cpu, cpu_max, seconds, samples)
    with steps as (
      select m.*, s.series, extract(epoch from m.at - lag(m.at) over w) as gap,
        m.net_in - lag(m.net_in) over w as rise_in, m.net_out - lag(m.net_out) over w as rise_out
      from agent_metrics as m join sample_series as s using (instance_id)
      where m.at >= this_day - interval '168 hours' and m.at < this_hour
      window w as (partition by m.instance_id order by m.at)
    )
    select date_bin('5 minutes', at, 'epoch'), avg(memory_used), max(memory_used), avg(disk_used),
      coalesce(sum(case when rise_in < 0 then net_in else rise_in end) filter (where gap <= 30), 0),
      coalesce(sum(case when rise_out < 0 then net_out else rise_out end) filter (where gap <= 30), 0),
      series, avg(cpu), max(cpu), coalesce(sum(gap) filter (where gap <= 30), 0), count(*)
    from steps group by series, date_bin('5 minutes', at, 'epoch') order by series, date_bin('5 minutes', at, 'epoch');
end $$;

drop table agent_metrics;
