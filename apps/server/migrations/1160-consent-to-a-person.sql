-- Consent to a look is given to the person of support who asked. Whom an earlier one was given to is not known: it is
-- asked for again.
delete from support_consents;

alter table support_consents
  add column staff_id text not null
    constraint support_consents_staff_id_fkey references accounts (account_id),
  drop constraint support_consents_pkey,
  add constraint support_consents_pkey primary key (account_id, staff_id);
