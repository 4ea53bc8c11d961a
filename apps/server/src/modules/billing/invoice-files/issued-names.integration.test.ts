/** An issued document never changes: whatever it names is renamed, and every way to read it is read again. */
import { readFile } from 'node:fs/promises'
import { invoicePdfPath, invoicesDetail, invoicesExportPath, invoicesPage, paymentPage } from '@atoll/contract/billing'
import { type Call, type CallRequest, type Locale, locales } from '@atoll/contract/wire'
import type { FastifyInstance } from 'fastify'
import { extractText } from 'unpdf'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acceptBodies } from '../../../http/request/body.ts'
import { createHttpServer } from '../../../http/server.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { invoiceExportPlugin, invoicePdfPlugin } from '../index.ts'
import { mailPaid } from '../mails/mail-hooks.ts'
import { keepIssuer } from '../records/documents/document-copies.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { giveItemTo } from '../records/documents/subscription-store.ts'
import { at, type OrderHarness, openOrderHarness } from '../testing/order-harness.ts'

const database = useDatabase({ max: 8 })
let app: FastifyInstance
let harness: OrderHarness

const atIssue = { product: 'Atoll', name: 'Lagoon Ltd', address: ['1 Harbour Street'] }
const afterwards = { product: 'Reef', name: 'Reef Holding', address: ['2 Other Street'] }

beforeEach(async () => {
  harness = await openOrderHarness(database)
  await keepIssuer(database.db, atIssue, at)
})
afterEach(async () => {
  await app.close()
})

/** Serves the files, as a deployment whose settings name this seller. */
async function serve(issuer: typeof atIssue): Promise<void> {
  app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const authenticate = async (userid: string) => {
    return {
      userid,
      did: 'did:key:zTest',
      sessionId: 'ss_test',
      role: 'User' as const,
      expiresAt: new Date(Date.now() + 60_000),
    }
  }
  const { db } = database
  await app.register(invoicePdfPlugin({ db, clock: { now: () => at }, config: { issuer }, authenticate }))
  await app.register(invoiceExportPlugin({ db, authenticate }))
}

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const headers = () => ({ userid: harness.userid, token: 'good' })

async function ask<C extends Call>(call: C, body: CallRequest<C>, locale: Locale) {
  const route = harness.billing.routes.find((one) => one.call.name === call.name)
  const account = { userid: harness.userid, role: 'User', sessionId: 'ss_none', ip: '::1' }
  const context = { locale, account } as unknown as Parameters<NonNullable<typeof route>['handle']>[1] // all it reads
  return await route?.handle(readParameters(call.body, body, locale), context)
}

async function pdfOf(invoiceId: string, locale: Locale): Promise<string> {
  const { rawPayload } = await app.inject({ url: `${invoicePdfPath(invoiceId)}?lang=${locale}`, headers: headers() })
  return (await extractText(new Uint8Array(rawPayload), { mergePages: true })).text
}

/** The receipt as it would be mailed now. */
async function receiptOf(invoiceId: string, locale: Locale): Promise<unknown> {
  const sent: unknown[] = []
  await sql('update accounts set email = $2, locale = $3 where account_id = $1', [
    harness.userid,
    'reef@mail.example',
    locale,
  ])
  await sql('delete from billing_mails where userid = $1', [harness.userid])
  await harness.transact(async (trx) => {
    const invoice = await getInvoice(trx, harness.userid, invoiceId)
    const payment = await trx
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', invoice.payment_id)
      .executeTakeFirstOrThrow()
    const post = async (_: unknown, { params }: { params: object }) => {
      // Whom it is sent to is so when it is sent.
      sent.push({ ...params, account: undefined })
      return 'ml_none'
    }
    await mailPaid({ ...harness.deps, mail: { post: post as typeof harness.deps.mail.post } }, trx, {
      payment,
      invoice,
      at,
      isRestored: false,
    })
  })
  expect(sent).toHaveLength(1)
  return sent
}

/** Every way to read the invoice; the files of `files` alone. */
async function readAll(invoiceId: string, files: readonly Locale[]) {
  const shown = []
  for (const locale of locales) {
    shown.push(
      await ask(invoicesDetail, { invoiceId }, locale),
      await ask(invoicesPage, {}, locale),
      await ask(paymentPage, {}, locale),
      await receiptOf(invoiceId, locale),
    )
  }
  const csv = (await app.inject({ method: 'POST', url: invoicesExportPath, headers: headers(), payload: {} })).body
  const pdfs = await Promise.all(files.map((locale) => pdfOf(invoiceId, locale)))
  return { shown, csv, pdfs }
}

async function orderPaid(): Promise<{ invoiceId: string; clusterId: string; instances: string[] }> {
  const clusterId = await harness.insertCluster()
  await sql(`update clusters set name = 'accounting' where id = $1`, [clusterId])
  await sql('insert into dids (did, registered_at) values ($1, now())', [harness.did])
  await sql('insert into names (name, did, bound_at) values ($1, $2, now())', [
    `lena@${harness.userid.slice(-8)}.example`.toLowerCase(),
    harness.did,
  ])
  const ordered = await harness.order([1440, 720], { clusterId, withCard: true })
  const { rows } = await sql('select id from payments where invoice_id = $1', [ordered.invoiceId])
  await harness.charge(rows[0].id)
  return { invoiceId: ordered.invoiceId ?? '', clusterId, instances: ordered.instances }
}

it('shows an invoice and its receipt as they were issued on page, list, CSV, files and mail, whatever is renamed', async () => {
  await serve(atIssue)
  const { invoiceId, clusterId, instances } = await orderPaid()
  const [english] = locales
  const before = await readAll(invoiceId, [english])
  expect(JSON.stringify(before)).toContain('accounting')
  // The cluster, the account, the seller, the card, and which machine an item is of since a repair.
  await sql(`update clusters set name = 'party-photos' where id = $1`, [clusterId])
  await sql(`update names set name = 'somebody@else.example' where did = $1`, [harness.did])
  await keepIssuer(database.db, afterwards, at)
  await sql(`update payment_methods set brand = 'amex', last4 = '0005' where userid = $1`, [harness.userid])
  const other = await harness.insertInstance(clusterId)
  await harness.transact((trx) => giveItemTo(trx, instances[0] ?? '', other))
  await app.close()
  await serve(afterwards)
  expect(await readAll(invoiceId, [english])).toEqual(before)
  // A file that is made only now, in the other language, shows what the first one does.
  const chinese = await pdfOf(invoiceId, 'zh-CN')
  for (const text of ['accounting', 'Lagoon Ltd', '1 Harbour Street', 'UTC', '4242']) expect(chinese).toContain(text)
  for (const text of ['party-photos', 'somebody@else', 'Reef', '0005']) expect(chinese).not.toContain(text)
  expect(chinese).toContain(`lena@${harness.userid.slice(-8)}`.toLowerCase())
})

it('copies names into a credit note from its invoice, and gives the next document the new ones', async () => {
  await serve(atIssue)
  const { clusterId, instances } = await orderPaid()
  await sql(`update clusters set name = 'party-photos' where id = $1`, [clusterId])
  const ended = instances.map((instanceId) => ({ instanceId, hasRun: true }))
  await harness.transact((trx) =>
    harness.billing.refund(trx, { userid: harness.userid, instances: ended, at: new Date(at.getTime() + 86_400_000) }),
  )
  const names = async (table: 'credit_notes' | 'invoices') =>
    (
      await sql(
        `select content #>> '{lines,0,cluster,name}' as name from document_copies
          join ${table} on ${table}.id = document_id where document_copies.userid = $1 order by issued_at`,
        [harness.userid],
      )
    ).rows.map(({ name }) => name)
  expect(await names('credit_notes')).toEqual(['accounting'])
  await harness.order([500], { clusterId, at: new Date(at.getTime() + 86_400_000) })
  expect(await names('invoices')).toEqual(['accounting', 'party-photos'])
})

it('refuses every change of a copy and of a stored file but what erasing that account needs', async () => {
  await serve(atIssue)
  const { invoiceId } = await orderPaid()
  await pdfOf(invoiceId, 'en-US')
  const changes = [
    `update document_copies set content = '{}' where userid = $1`,
    'delete from document_copies where userid = $1',
    'delete from invoice_files where userid = $1',
    `update invoice_files set bytes = '' where userid = $1`,
  ]
  const attempt = async (change: string, erasing: string | null) => {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      if (erasing !== null) await client.query(`select set_config('atoll.erasing_account', $1, true)`, [erasing])
      return (await client.query(change, [harness.userid])).rowCount
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  for (const change of changes) {
    await expect(attempt(change, null)).rejects.toThrow('keeps what was issued')
    await expect(attempt(change, 'did:key:other')).rejects.toThrow('keeps what was issued')
  }
  for (const table of ['document_copies', 'invoice_files', 'issuers'])
    await expect(sql(`truncate ${table} cascade`)).rejects.toThrow('is append-only')
  expect(await attempt(changes[0] ?? '', harness.userid)).toBeGreaterThan(0)
  expect(await attempt(changes[2] ?? '', harness.userid)).toBe(1)
  await expect(attempt(changes[1] ?? '', harness.userid)).rejects.toThrow('keeps what was issued')
  await expect(attempt(changes[3] ?? '', harness.userid)).rejects.toThrow('keeps what was issued')
  const moved = `update document_copies set userid = 'did:key:other' where userid = $1`
  await expect(attempt(moved, harness.userid)).rejects.toThrow('keeps what was issued')
})

it('fills the copies of documents from before once, by the migration', async () => {
  await serve(atIssue)
  const { instances } = await orderPaid()
  const ended = instances.map((instanceId) => ({ instanceId, hasRun: true }))
  await harness.transact((trx) =>
    harness.billing.refund(trx, { userid: harness.userid, instances: ended, at: new Date(at.getTime() + 86_400_000) }),
  )
  const copies = async () =>
    (await sql('select document_id, content from document_copies where userid = $1 order by 1', [harness.userid])).rows
  const issued = await copies()
  expect(issued).toHaveLength(3)
  const migration = await readFile(
    new URL('../../../platform/db/testing/before-baseline/0315-document-copies.sql', import.meta.url),
    'utf8',
  )
  const [, fill = ''] = /(-- What stands[\s\S]*?)-- No document without/.exec(migration) ?? []
  const client = await database.pool.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query('delete from document_copies')
    await client.query(fill)
  } finally {
    await client.query(`set session_replication_role = 'origin'`)
    client.release()
  }
  expect(await copies()).toEqual(issued)
})
