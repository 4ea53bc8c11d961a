-- Promotional credit that is not used returns to its grant. What lapsed with credit notes of before stays written down.
alter table credit_notes alter column lapsed_promo_minor set default 0;
