-- Whom a code is for: the DID that the page asked for when it opened the code; null: anybody.
alter table sign_in_codes add column asked_did text;
