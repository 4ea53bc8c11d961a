-- The bytes of config and of each key, without which nothing of a repository can be read: they are under 1 kB each, and
-- what is damaged or gone of them in the store is put back from here. Of files that exist the scrub adds them.
alter table vault_files
  add column content bytea
  constraint vault_files_content_check check (content is null or type in ('config', 'keys') and octet_length(content) <= 1024);
