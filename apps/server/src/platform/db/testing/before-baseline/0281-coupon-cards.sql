-- The gateway's own name of a card's number, the same whoever enters it; null: from before it was kept. Nobody can be
-- charged or known by it.
alter table payment_methods add column fingerprint text constraint payment_methods_fingerprint_check
  check (length(fingerprint) between 1 and 255);
create index payment_methods_fingerprint_idx on payment_methods (fingerprint) where fingerprint is not null;
alter table sandbox_cards add column fingerprint text;

-- Coupons that are one per card (module billing), and by which account each was used with a card.
create table coupon_cards (
  code text constraint coupon_cards_code_fkey references coupons (code),
  fingerprint text,
  userid text not null constraint coupon_cards_userid_fkey references accounts (userid),
  constraint coupon_cards_pkey primary key (code, fingerprint)
);
create index coupon_cards_userid_idx on coupon_cards (userid);
