-- An Admin sees and may act on the clusters of every account; granted by the operator alone (npm run admin).
alter table accounts add column role text not null default 'User'
  constraint accounts_role_check check (role in ('Admin', 'User'));
create index accounts_admin_idx on accounts (userid) where role = 'Admin';
