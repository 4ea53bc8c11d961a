-- What an application for a credential was answered (module credentials): wallets ask for it by the application's id.

alter table credentials
  add application_id text,
  add response_id text;
create index credentials_application_idx on credentials (application_id) where application_id is not null;
create index credentials_expires_idx on credentials (expires_at) where revoked_at is null;
