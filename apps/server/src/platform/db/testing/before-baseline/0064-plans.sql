-- vCPU that an account's plan includes as it was sold, whatever the catalogue says later; null: what the catalogue says.
alter table accounts add column plan_vcpu integer constraint accounts_plan_vcpu_check check (plan_vcpu >= 0);

-- When it was paid for the first time: from then on a plan's quotas and rates count. Those that were paid before this was
-- kept, when they were ordered.
alter table subscription_items add column began_at timestamptz;
update subscription_items set began_at = created_at where state not in ('unpaid', 'canceled');
