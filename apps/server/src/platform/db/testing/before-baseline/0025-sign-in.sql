-- What the browser of a session said of itself (in names, never its whole user agent), and where it was last seen.
-- last_seen_at is written at most once a minute.
alter table sessions
  add column device_kind text not null default 'program'
    constraint sessions_device_kind_check check (device_kind in ('computer', 'phone', 'tablet', 'program')),
  add column browser text,
  add column system text,
  add column ip text,
  add column last_seen_at timestamptz;
update sessions set last_seen_at = created_at;
alter table sessions alter column last_seen_at set not null;

-- A code's row is now made when a browser of ours is about to show it, or, as before, when a wallet approves it. Who
-- writes what, and what follows, stands in modules/accounts/sign-in-service.ts.
alter table sign_in_codes
  alter column userid drop not null,
  alter column approved_at drop not null,
  -- SHA-256 of the key that the showing browser keeps, and of the cookie it was given; null: shown by a client without.
  add column browser_hash text,
  add column cookie_hash text,
  add column match_number text,
  add column scanned_at timestamptz,
  -- What the screen is told: the last reason a wallet came to nothing.
  add column refused text
    constraint sign_in_codes_refused_check check (refused in ('otherDid', 'declined', 'wrongNumber')),
  -- A wrong number was sent: nobody can approve it any more.
  add column burnt_at timestamptz,
  add column changed_at timestamptz;
update sign_in_codes set changed_at = approved_at;
alter table sign_in_codes
  alter column changed_at set not null,
  add constraint sign_in_codes_approved_check check ((userid is null) = (approved_at is null)),
  add constraint sign_in_codes_taken_check check (taken_at is null or approved_at is not null),
  add constraint sign_in_codes_burnt_check check (burnt_at is null or approved_at is null);
drop index sign_in_codes_approved_at_idx;
create index sign_in_codes_changed_at_idx on sign_in_codes (changed_at);
