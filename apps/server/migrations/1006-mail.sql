-- A row is a mail that is to be sent or was sent. Its content is sealed, and removed as soon as the mail is sent or
-- given up; recipient and outcome are kept for a while. `id` is also the Message-ID, so that a mail that is sent twice
-- after a crash is one mail to its recipient. States and writers: modules/mail/mail-service.ts.
create table mails (
  id text constraint mails_pkey primary key,
  userid text not null constraint mails_userid_fkey references accounts (account_id) on delete cascade,
  kind text not null,
  recipient text not null,
  locale text not null,
  -- Sealed JSON; null once it is no longer needed.
  params text,
  state text not null constraint mails_state_check check (state in ('waiting', 'sent', 'delayed', 'failed')),
  attempts integer not null default 0,
  -- Why the last attempt failed, for the operator's log and page. It is never shown to users.
  failure text,
  created_at timestamptz not null,
  -- After this time the mail is of no use to anybody and is given up.
  usable_until timestamptz not null,
  ended_at timestamptz,
  -- Kind of optional mail, which the account can turn off (accounts.mails_off). Null: the mail is always sent.
  optional text constraint mails_optional_known check (optional in ('alerts', 'usage', 'reminders')),
  constraint mails_ended_check check ((ended_at is not null) = (state in ('sent', 'failed')))
);
create index mails_created_at_idx on mails (created_at);
create index mails_userid_idx on mails (userid);
