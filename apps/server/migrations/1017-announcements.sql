-- A row is maintenance or an incident that operators announce to everybody. The status page shows it.
create table announcements (
  id text constraint announcements_pkey primary key,
  kind text not null constraint announcements_kind_check check (kind in ('maintenance', 'incident')),
  impact text not null constraint announcements_impact_check check (impact in ('works', 'limited', 'down')),
  title_en text not null,
  title_zh text not null,
  -- Empty: no particular component.
  components text[] not null,
  -- Cloud and region, such as `atoll/lagoon`. Empty: all regions.
  regions text[] not null,
  starts_at timestamptz not null,
  -- Expected end; null if it is unknown.
  ends_at timestamptz,
  ended_at timestamptz,
  by_mail boolean not null,
  -- Owners have been mailed in the order of their account ids, up to this one.
  mailed_to text not null default '',
  -- When the last owner was mailed; null until then.
  mailed_at timestamptz,
  written_by text not null constraint announcements_written_by_fkey references accounts (account_id),
  written_at timestamptz not null
);
create index announcements_living_idx on announcements (starts_at) where ended_at is null;
create index announcements_starts_idx on announcements (starts_at desc, id);

-- Texts of an announcement, in both languages, in the order in which they were written.
create table announcement_texts (
  number bigint generated always as identity constraint announcement_texts_pkey primary key,
  announcement_id text not null constraint announcement_texts_announcement_id_fkey references announcements (id),
  text_en text not null,
  text_zh text not null,
  written_by text not null constraint announcement_texts_written_by_fkey references accounts (account_id),
  at timestamptz not null
);
create index announcement_texts_announcement_idx on announcement_texts (announcement_id, number);

-- How often a component was seen in each state on a day, looked at once a minute. No row: nobody looked.
create table status_days (
  component text,
  -- Only for clusters, which are looked at in each region; otherwise empty.
  region text,
  day date,
  works integer not null,
  limited integer not null,
  down integer not null,
  constraint status_days_pkey primary key (component, region, day)
);
create index status_days_day_idx on status_days (day);

-- The status report that every process shows; a single row.
create table status_page (
  is_only boolean default true
    constraint status_page_pkey primary key
    constraint status_page_is_only_check check (is_only),
  made_at timestamptz not null,
  report jsonb not null
);
