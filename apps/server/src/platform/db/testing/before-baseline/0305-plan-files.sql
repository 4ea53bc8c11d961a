-- Beside each repository in the vault lies a small signed file that says whose it is and of which plan. This is the
-- state of the plan that it was last written of (backups/records/plan-file-store.ts); null: there is none yet.
alter table backups add column plan_file_mark text;
