-- Mails on their way. What a mail says is sealed, and removed as soon as it was sent or given up; who got one, and how it
-- fared, stays for a while. id is also the mail's Message-ID, so that a mail sent twice after a crash is one mail to
-- whoever receives it. States and who writes them: modules/mail/mail-service.ts.
create table mails (
  id text constraint mails_pkey primary key,
  userid text not null constraint mails_userid_fkey references accounts (userid) on delete cascade,
  kind text not null,
  recipient text not null,
  locale text not null,
  -- Sealed JSON; null once it is no longer needed.
  params text,
  state text not null constraint mails_state_check check (state in ('waiting', 'sent', 'delayed', 'failed')),
  attempts integer not null default 0,
  -- Why the last attempt failed, for the operator's log and page; never shown to users.
  failure text,
  created_at timestamptz not null,
  -- After this moment nobody is helped by it: it is given up.
  usable_until timestamptz not null,
  ended_at timestamptz,
  constraint mails_ended_check check ((ended_at is not null) = (state in ('sent', 'failed')))
);
create index mails_userid_idx on mails (userid);
create index mails_created_at_idx on mails (created_at);
