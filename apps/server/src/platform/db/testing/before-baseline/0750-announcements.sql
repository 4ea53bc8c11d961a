-- oldest program: 0.1.0
-- What operators tell everybody, and what the status page is made of.
create table announcements (
  id text primary key,
  kind text not null constraint announcements_kind_check check (kind in ('maintenance', 'incident')),
  impact text not null constraint announcements_impact_check check (impact in ('works', 'limited', 'down')),
  title_en text not null,
  title_zh text not null,
  -- Empty: none in particular.
  components text[] not null,
  -- Cloud and region, as `atoll/lagoon`. Empty: all.
  regions text[] not null,
  starts_at timestamptz not null,
  -- When it is expected to be over; null: nobody knows.
  ends_at timestamptz,
  ended_at timestamptz,
  by_mail boolean not null,
  -- Owners up to this one have their mail.
  mailed_to text not null default '',
  mailed_at timestamptz,
  written_by text not null references accounts (account_id),
  written_at timestamptz not null
);
create index announcements_starts_idx on announcements (starts_at desc, id);
create index announcements_living_idx on announcements (starts_at) where ended_at is null;

create table announcement_texts (
  number bigint generated always as identity primary key,
  announcement_id text not null references announcements (id),
  text_en text not null,
  text_zh text not null,
  written_by text not null references accounts (account_id),
  at timestamptz not null
);
create index announcement_texts_announcement_idx on announcement_texts (announcement_id, number);

-- How often a part was seen to work on a day, once a minute; no row: nobody looked.
create table status_days (
  component text not null,
  -- Of clusters alone, which are looked at for each region; else empty.
  region text not null,
  day date not null,
  works integer not null,
  limited integer not null,
  down integer not null,
  primary key (component, region, day)
);
create index status_days_day_idx on status_days (day);

-- The one row that every process shows.
create table status_page (
  is_only boolean primary key default true check (is_only),
  made_at timestamptz not null,
  report jsonb not null
);
