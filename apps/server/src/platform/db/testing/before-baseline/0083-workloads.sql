-- What runs on an instance: [{name, title, state, ready, wanted, reason, since}] as its agent said last. Null: an agent
-- that is too old to tell, or has not reported yet. Of agents written by the api process that holds the connection; of
-- instances the copy that is shown, which outlives the agent's silence.
alter table agents add column workloads jsonb;
alter table instances add column workloads text;
