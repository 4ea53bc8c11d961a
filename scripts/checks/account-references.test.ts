import { expect, it } from 'vitest'
import { findDidReferences, referencesByDid } from './account-references.ts'

const pearls =
  'create table pearls (\n  id text,\n  owner text not null constraint pearls_owner_fkey references accounts (userid)\n);'
const shells =
  'create table shells (userid text primary key constraint shells_userid_fkey\n  references accounts on delete cascade);'
const divers =
  'create table divers (account_id text constraint divers_account_id_fkey references accounts (account_id));'

it('finds the tables that hold a DID, until column, constraint or table is dropped', () => {
  expect(referencesByDid([pearls, shells, divers])).toEqual(['pearls_owner_fkey', 'shells_userid_fkey'])
  expect(referencesByDid([pearls, shells, 'alter table shells drop column userid;'])).toEqual(['pearls_owner_fkey'])
  expect(referencesByDid([pearls, 'alter table pearls drop constraint pearls_owner_fkey;'])).toEqual([])
  expect(referencesByDid([pearls, 'drop table pearls;'])).toEqual([])
})

it('refuses another one, and one on the list that is gone', () => {
  expect(findDidReferences([pearls], ['pearls_owner_fkey'])).toEqual([])
  expect(findDidReferences([pearls, shells], ['pearls_owner_fkey'])).toEqual([
    'shells_userid_fkey: a table refers to an account by its account_id, not by its DID',
  ])
  expect(findDidReferences([divers], ['pearls_owner_fkey'])).toEqual([
    'pearls_owner_fkey: gone; take it from the list in scripts/checks/account-references.ts',
  ])
})
