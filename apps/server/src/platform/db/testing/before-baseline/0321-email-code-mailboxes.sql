-- The mailbox that a code was mailed to: moa+1@ and moa+2@ are one, for counting.
alter table email_codes add column mailbox text;
update email_codes set mailbox = lower(email);
alter table email_codes alter column mailbox set not null;
drop index email_codes_email_idx;
create index email_codes_mailbox_idx on email_codes (mailbox, created_at);
