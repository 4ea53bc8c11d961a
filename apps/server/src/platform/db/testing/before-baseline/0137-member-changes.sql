-- Whoever a custom domain belongs to sees its members' clusters, and so hears when one changes. Here, and not where
-- changes are published: all who publish know the owner of a cluster alone.

create function changes_of_members() returns trigger language plpgsql as $$
begin
  insert into changes (account, topic, object_id)
    select domains.userid, new.topic, new.object_id
    from domain_members join domains on domains.number = domain_members.domain
    where domain_members.did = new.account and domains.userid <> new.account and domains.released_at is null;
  return null;
end $$;
-- The owner may be a member elsewhere, whose owner sees nothing of this.
create trigger changes_of_members after insert on changes for each row
  when (new.topic = 'cluster' and pg_trigger_depth() = 0) execute function changes_of_members();
