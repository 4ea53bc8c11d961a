/** Books from before accounts had ids, carried over by 0571. */
import { createScriptedWallet } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createSealer } from '../../platform/crypto.ts'
import { databaseBefore } from '../../platform/db/testing/database-before.ts'
import { findAccountOfDid } from '../accounts/index.ts'
import { firstHashOf } from './ledger-chain.ts'
import { readBook } from './read-book.ts'
import { usd } from './testing/any-facts.ts'
import { insertOwner, post } from './testing/ledger-book.ts'
import { verifyLedger } from './verify-ledger.ts'

const sealer = createSealer(Buffer.alloc(32, 7))

test('a book of before keeps its first hash over the DID and goes on, a new one begins with the account’s id', async () => {
  await using old = await databaseBefore('0571-first-hashes.sql')
  const { db, pool } = old
  const { did } = createScriptedWallet()
  await pool.query('insert into accounts (userid, can_create_cluster, created_at) values ($1, true, now())', [did])
  await pool.query(
    `select from ledger_post($1, 'usd', now(), 'adjust', 'ad_1', 'key 1', '{cash,adjust}', '{-700,700}')`,
    [did],
  )
  await old.migrate()
  const userid = (await findAccountOfDid(db, did)) ?? ''
  await post(old, { userid, at: new Date(), kind: 'adjust', facts: { amount: usd(7) }, document: 'ad_2', key: 'key 2' })
  const other = await insertOwner(old)
  await post(old, { userid: other, at: new Date(), kind: 'adjust', facts: { amount: usd(7) }, document: 'a', key: 'b' })
  expect(await verifyLedger(db, { sealer })).toEqual({ whole: true, books: 2, transactions: 3 })
  const books = await db
    .transaction()
    .execute(async (trx) => [(await readBook(trx, userid, 'usd')).first, (await readBook(trx, other, 'usd')).first])
  expect(books).toEqual([firstHashOf(did, 'usd'), firstHashOf(other, 'usd')])

  // A book that is passed off as another account's.
  await pool.query(`set session_replication_role = replica;
    update ledger_books set userid = 'x' where userid = '${userid}'; update ledger_books set userid = '${userid}' where userid = '${other}'`)
  expect(await verifyLedger(db, { sealer, userid })).toMatchObject({ whole: false, table: 'ledger_books' })
})
