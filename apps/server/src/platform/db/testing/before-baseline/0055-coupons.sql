-- How often each coupon was redeemed, by its code; how often it may be is the catalogue's to say.
create table coupons (
  code text constraint coupons_pkey primary key,
  redeemed integer not null constraint coupons_redeemed_check check (redeemed > 0)
);

-- Who redeemed which, with what it said then: the catalogue may change it, or leave it out. Once for an account.
create table coupon_redemptions (
  userid text not null constraint coupon_redemptions_userid_fkey references accounts (userid),
  code text not null constraint coupon_redemptions_code_fkey references coupons (code),
  -- JSON text of the catalogue's coupon.
  terms text not null,
  redeemed_at timestamptz not null,
  -- Of a repeating one: periods that begin then or later are not reduced any more.
  ends_at timestamptz,
  -- Of one that is used once: the invoice that does; empty again when that is void.
  used_by text,
  constraint coupon_redemptions_pkey primary key (userid, code)
);
create index coupon_redemptions_used_by_idx on coupon_redemptions (used_by) where used_by is not null;
