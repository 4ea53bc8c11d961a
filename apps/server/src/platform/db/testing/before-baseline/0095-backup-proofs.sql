-- What is known of backups besides that they were written: proofs, damage, and what looks like an attack.

-- Append-only. What is read back in parts has an age: that of its oldest part.
create table proofs (
  id text constraint proofs_pkey primary key,
  backup_id text not null constraint proofs_backup_id_fkey references backups (id),
  owner text not null,
  snapshot_id text constraint proofs_snapshot_id_fkey references snapshots (id),
  -- A row of `written` or `read` that did not pass takes back every one before it.
  level text not null constraint proofs_level_check check (level in ('written', 'read', 'drilled')),
  passed boolean not null,
  -- Of `read`: part k of n.
  part integer,
  parts integer,
  bytes bigint,
  files bigint,
  -- Of `drilled`: files that came back as they were.
  equal bigint,
  -- JSON of a `Reason`: why it did not pass.
  reason text,
  -- When reading began: what was changed since is not proved by it.
  at timestamptz not null,
  constraint proofs_part_check check ((part is null) = (parts is null) and part between 1 and parts),
  constraint proofs_reason_check check (passed or reason is not null)
);
create index proofs_backup_id_idx on proofs (backup_id, at desc);

alter table backups
  -- Since when what is stored is known to be damaged, and when it was last known to be whole again.
  add column damaged_at timestamptz,
  add column sound_at timestamptz,
  -- Somebody asked for a proof: it waits for the machine, the machine reads, the store hashes. Since when.
  add column prove_state text constraint backups_prove_state_check
    check (prove_state in ('asked', 'reading', 'hashing')),
  add column prove_since timestamptz,
  -- JSON of a `Reason`: why the last proof that was asked for could not be had.
  add column prove_reason text,
  -- Much less, or much new: nothing is forgotten until the owner answers. `held`: they said that it was not them.
  add column alarm text constraint backups_alarm_check check (alarm in ('shrink', 'rewrite')),
  add column alarm_at timestamptz,
  add column alarm_snapshot_id text constraint backups_alarm_snapshot_id_fkey references snapshots (id),
  add column alarm_share integer,
  add column alarm_held boolean not null default false,
  -- Runs before this one are no measure any more: the owner said so.
  add column guard_since timestamptz,
  add constraint backups_prove_check check ((prove_state is null) = (prove_since is null)),
  add constraint backups_alarm_whole_check
    check ((alarm is null) = (alarm_at is null) and (alarm is null) = (alarm_snapshot_id is null));
create index backups_prove_idx on backups (id) where prove_state is not null;

alter table backup_chores drop constraint backup_chores_kind_check;
alter table backup_chores
  add constraint backup_chores_kind_check check (kind in ('forget', 'prune', 'check')),
  -- Of `check`.
  add column part integer,
  add column parts integer,
  add constraint backup_chores_part_check check ((kind = 'check') = (part is not null and parts is not null));
