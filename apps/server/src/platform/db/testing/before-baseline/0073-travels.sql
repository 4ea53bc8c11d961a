-- Where the clock of an account is on its way to. Times are the account's, but wall_at.
create table travels (
  userid text constraint travels_pkey primary key constraint travels_userid_fkey references accounts (userid),
  target timestamptz not null,
  -- Clusters that may be destroyed on the way.
  destroy text[] not null,
  -- Those that it stopped before, because they were not named; null while it goes on.
  stopped_before text[]
);

-- How the account's clock was moved: what the meters know by the wall's clock is found by this.
create table clock_jumps (
  userid text not null constraint clock_jumps_userid_fkey references accounts (userid),
  from_at timestamptz not null,
  to_at timestamptz not null,
  wall_at timestamptz not null,
  constraint clock_jumps_pkey primary key (userid, from_at),
  constraint clock_jumps_forward_check check (from_at < to_at)
);
