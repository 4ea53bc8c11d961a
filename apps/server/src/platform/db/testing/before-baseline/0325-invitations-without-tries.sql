-- Wrong one-time passwords no longer use up an invitation: anybody could have ended one.
alter table domain_members drop column tries_left;
