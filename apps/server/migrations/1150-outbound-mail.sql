-- oldest program: 0.1.0
-- Whether an account's instances may reach TCP port 25 elsewhere: the operator allows it.
alter table accounts add column may_send_mail boolean not null default false;
