-- Strays of any driver in one list: instances, zones. A zone may be one at several servers.
alter table strays rename column instance_id to object;
alter table strays add column kind text not null default 'instance'
  constraint strays_kind_check check (kind in ('instance', 'zone'));
alter table strays alter column kind drop default;
alter table strays drop constraint strays_pkey;
alter table strays add constraint strays_pkey primary key (place, object);

-- Vaults keep a number, too.
alter table provider_claims rename to claims;
alter table claims rename constraint provider_claims_pkey to claims_pkey;
alter table claims rename constraint provider_claims_problem_check to claims_problem_check;
