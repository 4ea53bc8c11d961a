-- oldest program: 0.1.0
-- Whether the domain's owner has pointed `_acme-challenge` here by CNAME, when somebody last answered.
alter table domains add column challenge_alias boolean not null default false;
