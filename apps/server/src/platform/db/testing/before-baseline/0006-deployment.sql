-- What is true of the whole deployment, whichever process asks.
create table deployment_facts (
  name  text constraint deployment_facts_pkey primary key,
  value text not null
);
