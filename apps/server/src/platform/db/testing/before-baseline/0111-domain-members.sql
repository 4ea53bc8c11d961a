-- Who has, or was invited to, an ID under a custom domain (module domains).

create table domain_members (
  id bigint generated always as identity constraint domain_members_pkey primary key,
  domain bigint not null constraint domain_members_domain_fkey references domains,
  -- In front of the @.
  name text not null,
  -- Whose ID it is; null while it is only offered.
  did text constraint domain_members_did_fkey references dids (did),
  email text,
  -- Of the one-time password, made with the deployment's key.
  password_hash text,
  password_expires_at timestamptz,
  tries_left integer not null default 0,
  created_at timestamptz not null,
  joined_at timestamptz,
  constraint domain_members_name_key unique (domain, name),
  constraint domain_members_joined_check check ((did is null) = (joined_at is null)),
  constraint domain_members_password_check check (did is null or password_hash is null)
);
create index domain_members_did_idx on domain_members (did);

insert into domain_members (domain, name, did, created_at, joined_at)
  select domains.number, split_part(names.name, '@', 1), names.did, names.bound_at, names.bound_at
  from names join domains on domains.name = split_part(names.name, '@', 2)
  where domains.released_at is null and domains.proven_at is not null;

-- Invitations that were mailed lately: how many a person sends, and a mailbox gets, is limited.
create table invitation_mails (
  sender text not null,
  mailbox text not null,
  at timestamptz not null
);
create index invitation_mails_sender_idx on invitation_mails (sender, at);
create index invitation_mails_mailbox_idx on invitation_mails (mailbox, at);
