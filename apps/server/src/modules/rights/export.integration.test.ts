/** The archive of an account's data: asked for, made, downloaded by who signed in just now, and gone after a week. */
import { inflateRawSync } from 'node:zlib'
import { userExport, userExportAsk } from '@atoll/contract/accounts'
import { customerExport } from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { silentLog } from '../../platform/log.ts'

let app: TestApp
let [operator, customer, stranger]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  operator = await app.createPerson('User', 'operator')
  customer = await app.createPerson()
  stranger = await app.createPerson()
  await createIds(app.database, customer)
  await sql`update accounts set email = 'lena@example.com' where account_id = ${customer.userid}`.execute(
    app.database.db,
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const run = async (name: string, payload: object = {}) => {
  const job = app.system.jobs.find((each) => each.name === name)
  await job?.run(payload, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
/** Events by which an open page learns of an export. */
const changesOf = async (id: string) =>
  (await sql`select 1 from changes where object_id = ${id}`.execute(app.database.db)).rows.length
const download = async (id: string, person: Person | undefined) => {
  const headers = { ...person?.api.credentials } as Record<string, string>
  return await fetch(`${app.origin}/v2/user/exports/${id}.zip`, { headers })
}
/** The names in the directory of a ZIP. */
const namesIn = (zip: Buffer): string[] => {
  const names: string[] = []
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4))
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  return names
}

/** The JSON of the file of this name; a local header's name stands just before its bytes. */
const readIn = (zip: Buffer, name: string): unknown =>
  JSON.parse(String(inflateRawSync(zip.subarray(zip.indexOf(name) + name.length))))

it('is made once, told by mail, downloaded by its owner alone, and gone after seven days', async () => {
  if (!operator || !customer) throw new Error('nobody is there')
  const { db } = app.database
  expect(await customer.api.ask(userExport, {})).toEqual({ export: null })
  const { rows: domains } = await sql<{ name: string }>`
    with own as (select number, name from domains where userid = ${customer.userid}), added as (
      insert into domain_records (domain, type, name, value) select number, 'MX', name, '10 mail.example.net' from own)
    select name from own`.execute(db)
  const { exportId } = await customer.api.ask(userExportAsk, {})
  expect((await customer.api.send(userExportAsk, {})).code).toBe(codes.conflict)
  const byStaff = { accountId: customer.userid, reason: 'asked by mail' }
  // One at a time, also for staff.
  expect((await operator.api.send(customerExport, byStaff)).code).toBe(codes.conflict)

  await run('account.export', { id: exportId })
  await run('account.export', { id: exportId })
  const made = (await customer.api.ask(userExport, {})).export
  expect(made?.state).toBe('ready')
  const { rows: mails } = await sql`select id from mails where kind = 'account'`.execute(db)
  expect(mails).toHaveLength(1)

  const zip = Buffer.from(await (await download(exportId, customer)).arrayBuffer())
  expect(zip.length).toBe(made?.size)
  const names = namesIn(zip)
  for (const name of ['account', 'clusters', 'domains', 'backups', 'mails', 'statement'])
    expect(names).toContain(`${name}.json`)
  expect(readIn(zip, 'domains.json')).toMatchObject(
    domains.map(({ name }) => ({ domain: name, records: [{ type: 'MX', name, value: '10 mail.example.net' }] })),
  )
  expect(domains).toHaveLength(1)
  expect(names).toContain('audit.csv')
  expect(names.some((name) => /^invoices\/.+\.pdf$/.test(name))).toBe(true)
  for (const other of [stranger, operator])
    expect(await (await download(exportId, other)).json()).toMatchObject({ code: codes.notFound })

  await sql`update sessions set created_at = now() - interval '16 minutes' where userid = ${customer.userid}`.execute(
    db,
  )
  expect(await (await download(exportId, customer)).json()).toMatchObject({ code: codes.forbidden })
  expect((await customer.api.send(userExportAsk, {})).code).toBe(codes.forbidden)
  await sql`update sessions set created_at = now() where userid = ${customer.userid}`.execute(db)
  expect((await customer.api.send(userExportAsk, {})).message).toContain('once a day')

  await sql`update account_exports set until_at = now() - interval '1 minute'`.execute(db)
  await sql`delete from changes`.execute(db)
  await run('account.exports.sweep')
  expect((await customer.api.ask(userExport, {})).export).toMatchObject({ state: 'gone', size: null })
  expect(await changesOf(exportId)).toBe(1)
  expect(await (await download(exportId, customer)).json()).toMatchObject({ code: codes.notFound })

  // An operator's is not held up by the owner's of today; its file is for both.
  const { exportId: second } = await operator.api.ask(customerExport, byStaff)
  await run('account.export', { id: second })
  for (const person of [customer, operator])
    expect((await download(second, person)).headers.get('content-type')).toBe('application/zip')
  expect(await (await download(second, stranger)).json()).toMatchObject({ code: codes.notFound })
})

it('whose job was discarded is called failed after a day, and can be asked for again', async () => {
  const { db } = app.database
  const { exportId } = (await stranger?.api.ask(userExportAsk, {})) ?? {}
  await run('account.exports.sweep')
  expect((await stranger?.api.ask(userExport, {}))?.export).toMatchObject({ exportId, state: 'making' })
  await sql`update account_exports set asked_at = now() - interval '25 hours' where id = ${exportId}`.execute(db)
  await sql`delete from changes`.execute(db)
  await run('account.exports.sweep')
  expect((await stranger?.api.ask(userExport, {}))?.export).toMatchObject({ exportId, state: 'failed' })
  expect(await changesOf(exportId ?? '')).toBe(1)
  expect((await stranger?.api.ask(userExportAsk, {}))?.exportId).not.toBe(exportId)
})
