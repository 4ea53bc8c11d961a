-- The wall's time as some worker last wrote it, each minute: whether time jumped while none ran.
create table clock_marks (
  is_only boolean not null default true constraint clock_marks_pkey primary key
    constraint clock_marks_is_only_check check (is_only),
  at timestamptz not null,
  -- Since when it did not jump, while it is in doubt.
  steady_since timestamptz not null
);
