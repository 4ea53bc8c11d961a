/** The columns that hold the DID, the ID or the email of a person, in a database after every call was made. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personalColumns } from '../modules/accounts/personal-columns.ts'
import { columnsWith } from './testing/columns-with.ts'
import { createIds } from './testing/owned-ids.ts'
import { callsThat, send } from './testing/table-calls.ts'
import { openTestApp, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('stand in the columns that are declared to be about a person, and in no other', async () => {
  const { pool } = app.database
  const owner = await app.createPerson('User', 'operator')
  const email = `${owner.did.slice(-8).toLowerCase()}@reef.example`
  await pool.query('update accounts set email = $2 where account_id = $1', [owner.userid, email])
  const { rows: names } = await pool.query<{ name: string }>('select name from names where did = $1', [owner.did])
  const name = names[0]?.name ?? ''
  let ids = await createIds(app.database, owner)
  const asked = callsThat('anyone', 'list', 'self', 'private', 'object', 'ownersOnly', 'staff', 'operator')
  const ends = ['logout', 'customerSignOut']
  for (const [index, [, call]] of asked.filter(([name]) => !ends.includes(name)).entries()) {
    // Some end what others ask for.
    if (index % 16 === 15) ids = await createIds(app.database, owner)
    await send(owner, call, ids)
  }
  await pool.query('update accounts set email = $2 where account_id = $1', [owner.userid, email])
  const found = await columnsWith(pool, [owner.did, name, email])
  expect(found.filter((column) => personalColumns[column] === undefined)).toEqual([])
  // Objects of which an account has one are named by its DID, in records that its owner reads.
  const { rows: named } = await pool.query<{ kind: string; id: string }>(
    `select distinct object_kind as kind, object_id as id from audit_entries where object_id = any($1::text[])`,
    [[owner.userid, owner.did]],
  )
  const kindsOf = (id: string) => named.flatMap((one) => (one.id === id && one.kind !== 'support' ? [one.kind] : []))
  expect(kindsOf(owner.userid)).toEqual([])
  expect(kindsOf(owner.did)).toContain('metricsToken')
  // It is not that nothing was looked at.
  expect(found).toEqual(
    expect.arrayContaining(['accounts.did', 'accounts.email', 'names.name', 'audit_personal.owner']),
  )
  const { rows } = await pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const columns = new Set(rows.map((row) => row.name))
  expect(Object.keys(personalColumns).filter((column) => !columns.has(column))).toEqual([])
})
