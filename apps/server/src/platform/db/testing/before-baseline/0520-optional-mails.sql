-- oldest program: 0.1.0
-- Which kinds of mail an account does without, and of which such kind a mail is.
alter table accounts
  add column mails_off text[] not null default '{}'
  constraint accounts_mails_off_known check (mails_off <@ array['alerts', 'usage', 'reminders']);
alter table mails
  add column optional text
  constraint mails_optional_known check (optional in ('alerts', 'usage', 'reminders'));
