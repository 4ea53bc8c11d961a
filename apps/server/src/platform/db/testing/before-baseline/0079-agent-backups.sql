-- What the agent makes backups with: {restic: its version or null, key: the public key that passwords are sealed for}.
-- Null: an agent without backups. Written by the api process that holds the agent's connection.
alter table agents add column backups jsonb;
