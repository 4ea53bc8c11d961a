-- Whether an instance, or one that a repair gave up for it, ever ran: what never did is refunded whole.
alter table instances add has_run boolean not null default false;
update instances set has_run = true
  where status not in ('unpaid', 'paid', 'fetching', 'queuing', 'pending', 'installing', 'restoring', 'canceled');
