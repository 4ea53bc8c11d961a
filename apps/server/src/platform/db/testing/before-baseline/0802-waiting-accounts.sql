-- Jobs that wait for room in their account's share name it in a flag, too: by its id since 0800. No job has another flag.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    update graphile_worker._private_jobs job
      set flags = jsonb_build_object('account:' || accounts.account_id, true)
      from accounts where job.flags ? ('account:' || accounts.did);
  end if;
end $$;
