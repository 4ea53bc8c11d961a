-- When a certificate is renewed, where its authority suggests a time (RFC 9773); null: with a third of its life left.
-- Those that are served already are asked about once, within a day.
alter table certificates add column renew_at timestamptz;
update certificates set next_try_at = least(next_try_at, now() + random() * interval '1 day')
where chain is not null and wanted and problem is null;
