-- The public mail provider that somebody last wanted in the rule of who may join; null once a rule was taken. Wallets
-- pass over the refusal of the call, so the domain's page says it.
alter table domains add column rule_refused text;
