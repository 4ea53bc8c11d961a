-- A linked domain that somebody else has proven (module domains): its owner shows the TXT record again until then, or
-- loses it.

alter table domains
  add contest_until timestamptz,
  -- The claim that proved it. No foreign key: rows of domains are locked one after another.
  add contest_by bigint,
  -- Of a claim that is not proven: when it made the owner answer. Once an owner.
  add contested_at timestamptz,
  add constraint domains_contest_check check ((contest_until is null) = (contest_by is null)),
  add constraint domains_contested_check check (contest_until is null or proven_at is not null);
create index domains_contest_idx on domains (contest_by) where contest_by is not null;
