-- How far this database got at each provider; the provider keeps the same number (compute-provider.ts, ProviderClaim).
create table provider_claims (
  place text constraint provider_claims_pkey primary key,
  number bigint not null default 0,
  -- Why nothing is swept there; null while all is well.
  problem text constraint provider_claims_problem_check check (problem in ('behind', 'stranger')),
  -- The operator's word: the next sweep takes the provider over as it is.
  resume boolean not null default false
);

-- Instances at a provider that no row names.
create table strays (
  instance_id text constraint strays_pkey primary key,
  place text not null,
  found_at timestamptz not null,
  stopped_at timestamptz,
  -- The operator's word: it is destroyed by the next sweep.
  doomed boolean not null default false
);
