-- Figures move every few seconds. A numbered change for each would take the lock of the order of commits and push the
-- others out of what is kept for an hour; so they are told without a number, to who is there, and a lost one is
-- followed by the next. Both tables hold what is true for seconds: a crash of the database may empty them.

-- Accounts with an open stream of changes on any process; a row lapses when its processes do not renew it.
create unlogged table watchers (
  account text constraint watchers_pkey primary key,
  -- The topics of which it is told everybody's changes.
  everybodys text[] not null,
  until timestamptz not null
);

-- When a change of an object was last told, over all processes.
create unlogged table fleeting_changes (
  topic text not null,
  object_id text not null,
  at timestamptz not null,
  constraint fleeting_changes_pkey primary key (topic, object_id)
);
