-- The folder of the drive that has what no snapshot holds of what a restore replaced.
alter table restores add column kept_folder text, add column kept_files bigint,
  add column kept_whole boolean not null default false;
