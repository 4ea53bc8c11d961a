-- What an account may move yet before its plan is asked again whether its clusters are served.
create table traffic_allowances (
  userid text constraint traffic_allowances_pkey primary key
    constraint traffic_allowances_userid_fkey references accounts (userid),
  -- Bytes; what moves is taken off. Null: nothing limits it now.
  left_bytes bigint,
  limited boolean not null,
  -- When the plan was asked.
  checked_at timestamptz not null
) with (fillfactor = 70);
