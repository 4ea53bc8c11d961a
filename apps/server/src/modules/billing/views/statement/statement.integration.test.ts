import { execFile, spawnSync } from 'node:child_process'
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { statementKeyPath, verifierPaths } from '@atoll/contract/billing'
import { type Statement, type StatementCrypto, type StatementFile, verifyStatement } from '@atoll/statement'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { buildStatementVerifier } from '../../../../../../../scripts/building/statement-verifier.ts'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { getLimits } from '../../../accounts/account-service.ts'
import { statementPlugin } from '../../routes/statement-plugin.ts'
import { type Harness, instanceTerms, openHarness, usd } from '../../testing/billing-harness.ts'
import { buildStatement } from './build-statement.ts'
import { ensureStatementKeys, keyOf, retireStatementKey } from './statement-key-store.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
/** The one that statements were always signed with. */
const firstKey = keyOf(sealer.derive('statement key'))
const at = new Date('2027-01-31T12:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

const database = useDatabase({ max: 12 })
let harness: Harness
/** Two statements of one account, the second after more had happened. */
let older: string
let newer: string

const crypto: StatementCrypto = {
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  isSigned(text, signature, publicKey) {
    const key = Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex')
    const spki = createPublicKey({ key, format: 'der', type: 'spki' })
    return verify(null, Buffer.from(text), spki, Buffer.from(signature, 'hex'))
  },
}

async function order(prices: number[], more: { clusterId?: string; at?: Date; coupon?: boolean } = {}) {
  const clusterId = more.clusterId ?? (await harness.insertCluster())
  const instances = []
  for (const price of prices)
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  const coupons = more.coupon ? [{ code: 'REEF10', percentOff: 10, appliesTo: ['instance'] as const }] : []
  const facts = { userid: harness.userid, clusterId, instances, at: more.at ?? at, coupons, method: null }
  const ordered = await harness.transact((trx) => harness.billing.order(trx, facts))
  return { ...ordered, clusterId, instances: instances.map(({ instanceId }) => instanceId) }
}

const statementOf = async (by: Harness) => {
  const { db } = database
  const accounts = { getLimits: (from: typeof db, userid: string) => getLimits(() => 16, from, userid) }
  const deps = { db, clock: { now: () => at }, accounts, sealer, config: { publicUrl: 'https://console.test' } }
  return (await buildStatement(deps, by.userid)).text
}

beforeAll(async () => {
  harness = await openHarness(database)
  await harness.grant(300, at)
  await harness.credit(4000)
  const { clusterId } = await order([1440, 333], { coupon: true })
  older = await statementOf(harness)
  const { instances } = await order([720, 1], { clusterId, at: later(9), coupon: true })
  const { userid } = harness
  const gone = instances.map((instanceId) => ({ instanceId, hasRun: true }))
  await harness.transact((trx) => harness.billing.refund(trx, { userid, instances: gone, at: later(12) }))
  const { invoiceId } = await order([9900], { at: later(13) })
  await harness.transact((trx) => harness.billing.lapse(trx, { userid, invoiceId: invoiceId ?? '', at: later(14) }))
  await order([7777], { at: later(15) })
  newer = await statementOf(harness)
})

const check = (text: string, before?: string) =>
  verifyStatement({ crypto, text, older: before, publicKeys: [firstKey.publicKey] })

test('a statement of all that happened is sound, goes on from an older one, and says the balance', async () => {
  expect(check(older)).toMatchObject({ sound: true })
  const verdict = check(newer, older)
  expect(verdict).toMatchObject({ sound: true, publicKey: firstKey.publicKey })
  const { statement } = JSON.parse(newer) as StatementFile
  const entries = statement.book.transactions.flatMap((one) => one.entries)
  const cash = entries.filter(({ account }) => account === 'cash').reduce((sum, { amount }) => sum + amount, 0)
  expect(usd(cash).minor).toBe(await harness.balance('cash'))
  expect(statement.invoices.map(({ state }) => state)).toEqual(['paid', 'paid', 'void', 'open'])
  expect(statement.creditNotes).toHaveLength(1)
  expect(check(await statementOf(await openHarness(database)))).toMatchObject({ sound: true })
})

test('a statement of a book that began with the DID is sound, as it was before it said what the book began with', async () => {
  const old = await openHarness(database)
  const client = await database.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    const first = crypto.sha256(`${old.did.length}:${old.did},3:usd,`)
    await client.query(
      "insert into ledger_books (userid, currency, seq, hash, first_hash) values ($1, 'usd', 0, $2, $2)",
      [old.userid, first],
    )
  } finally {
    client.release(true)
  }
  await old.grant(300, at)
  const text = await statementOf(old)
  expect(check(text)).toMatchObject({ sound: true })
  const before = signed(
    (statement) => {
      delete statement.accountId
      delete statement.book.first
    },
    firstKey,
    text,
  )
  expect(check(text, before)).toMatchObject({ sound: true })
})

test('any changed digit is found', () => {
  const places = [...newer.matchAll(/\d/g)].map(({ index }) => index)
  expect(places.length).toBeGreaterThan(2000)
  for (const place of places) {
    const digit = String((Number(newer[place]) + 1) % 10)
    const changed = newer.slice(0, place) + digit + newer.slice(place + 1)
    const { sound } = check(changed)
    if (sound) throw new Error(`Not found: ${newer.slice(place - 40, place + 10)}`)
  }
})

/** Signed by us, or with another key, although it is wrong: the signature then says nothing. */
function signed(change: (statement: Statement) => void, key = firstKey, text = newer): string {
  const { statement } = JSON.parse(text) as StatementFile
  change(statement)
  const signature = { algorithm: 'Ed25519', publicKey: key.publicKey, value: key.sign(JSON.stringify(statement)) }
  return JSON.stringify({ statement, signature })
}

describe('what is signed and wrong is found too', () => {
  it.each<[string, (statement: Statement) => void, RegExp]>([
    ['a posting that is missing', ({ book }) => book.transactions.splice(3, 1), /Transaction 4 is missing/],
    ['the last postings', ({ book }) => book.transactions.splice(-1, 1), /The book ends with/],
    [
      'a posting with another key',
      ({ book }) => Object.assign(book.transactions[2] ?? {}, { key: 'x' }),
      /not what was chained/,
    ],
    ['another balance', ({ book }) => Object.assign(book.transactions[0]?.entries[0] ?? {}, { balance: 1 }), /leaves/],
    [
      'another account',
      (statement) => Object.assign(statement, { accountId: 'ac_other' }),
      /opened for another account/,
    ],
    ['an invoice that is missing', ({ invoices }) => invoices.splice(1, 1), /missing/],
    ['the last invoice', ({ invoices }) => invoices.splice(-1, 1), /missing/],
    ['a line that is missing', ({ invoices }) => invoices[0]?.items.splice(1, 1), /add up to/],
    [
      'another price',
      ({ invoices }) => Object.assign(invoices[0]?.items[0]?.explain ?? {}, { price: 1441 }),
      /priced again/,
    ],
    [
      'a shorter time',
      ({ invoices }) => Object.assign(invoices[1]?.items[0]?.explain ?? {}, { fromSecond: 5 }),
      /seconds/,
    ],
    ['another discount', ({ invoices }) => Object.assign(invoices[0]?.items[0] ?? {}, { discount: 1 }), /discounts/],
    ['another state', ({ invoices }) => Object.assign(invoices[3] ?? {}, { state: 'paid' }), /is owed/],
    [
      'one that is no longer void',
      ({ invoices }) => Object.assign(invoices[2] ?? {}, { state: 'paid' }),
      /postings do not say so/,
    ],
    ['a payment that is missing', ({ payments }) => payments.splice(0, 1), /missing/],
    ['a payment of less', ({ payments }) => Object.assign(payments[0] ?? {}, { balance: 1 }), /set aside/],
    ['a credit note that is missing', ({ creditNotes }) => creditNotes.splice(0, 1), /missing/],
    ['a credit note of less', ({ creditNotes }) => Object.assign(creditNotes[0] ?? {}, { cash: 1 }), /gives back/],
  ])('%s', (_, change, problem) => {
    expect(check(signed(change))).toMatchObject({ sound: false, problem: expect.stringMatching(problem) })
  })
})

test('an older statement that it does not go on from is found', async () => {
  expect(check(older, newer)).toMatchObject({ sound: false, problem: expect.stringContaining('ends with') })
  const others = await openHarness(database)
  expect(check(newer, await statementOf(others))).toMatchObject({
    sound: false,
    problem: 'The older statement is of another account.',
  })
  // The book was rewritten since: it is consistent, but differs from the statement handed out before.
  const { statement } = JSON.parse(older) as StatementFile
  expect(check(newer, JSON.stringify({ statement, signature: {} }))).toMatchObject({ sound: false })
})

test.each([['nothing'], ['{}'], ['[]'], ['null'], ['{"statement":{"format":"atoll-statement-1"},"signature":1}']])(
  'what is none is refused as such: %s',
  (text) => expect(check(text)).toMatchObject({ sound: false }),
)

const randomKey = () => keyOf(randomBytes(32).toString('base64url'))

test('what another key signed is not sound, with nothing in it changed, as a newer statement or as an older one', () => {
  const forged = signed(() => {}, randomKey())
  const problem = expect.stringMatching(/statement is signed with another key: [0-9a-f]{64}/)
  expect(check(forged)).toEqual({ sound: false, problem })
  expect(check(newer, forged)).toEqual({ sound: false, problem })
})

test.each<[string, (text: string) => string]>([
  ['a figure that is there twice', (text) => text.replace('"total":', '"total": 1, "total":')],
  ['a name in other letters', (text) => text.replace('"format"', '"f\\u006frmat"')],
  ['a figure in other digits', (text) => text.replace(/"seq": (\d+)/, '"seq": $1.0')],
  ['a word beside the signature', (text) => text.replace('"algorithm"', '"by": "Atoll", "algorithm"')],
])('what a reader sees is what was signed: %s is found', (_, change) => {
  const changed = change(newer)
  expect(changed).not.toBe(newer)
  expect(check(changed)).toMatchObject({ sound: false })
  // How it is laid out says nothing.
  expect(check(JSON.stringify(JSON.parse(newer), null, 4))).toMatchObject({ sound: true })
})

describe('the program, as it is served', () => {
  let folder: string
  let app: FastifyInstance
  const [first, second, other] = ['older.json', 'newer.json', 'other.json']
  const authenticate = async () => {
    throw new Error('nobody signs in')
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atoll-statement-'))
    writeFileSync(join(folder, first), older)
    writeFileSync(join(folder, second), newer)
    writeFileSync(
      join(folder, other),
      signed(() => {}, randomKey()),
    )
    await buildStatementVerifier(join(folder, 'built'))
    app = fastify()
    app.decorateRequest('answerCode', 0)
    const accounts = { getLimits: () => Promise.reject(new Error('nobody asks')) }
    const config = { publicUrl: 'https://console.test' }
    const verifier = join(folder, 'built/atoll-statement.mjs')
    const { db } = database
    await app.register(
      statementPlugin({ db, clock: { now: () => at }, accounts, sealer, config, authenticate, verifier }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  /** Fetches the program as it is served now, and runs it. */
  async function run(...args: string[]) {
    const { statusCode, body } = await app.inject(verifierPaths.file)
    expect(statusCode).toBe(200)
    writeFileSync(join(folder, 'served.mjs'), body)
    return spawnSync(process.execPath, ['served.mjs', ...args], { encoding: 'utf8', cwd: folder })
  }

  it('says by its exit code whether the statement is sound, and carries the key of its console', async () => {
    expect(await run(second, first)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Sound: \d+ records in one chain, 4 invoices/),
    })
    expect(await run(first, second)).toMatchObject({ status: 1, stdout: expect.stringContaining('NOT SOUND') })
    expect(await run(other)).toMatchObject({ status: 1, stdout: expect.stringContaining('another key') })
    expect(await run(second, '--key', firstKey.publicKey)).toMatchObject({ status: 0 })
    expect(await run(second, '--key', '0'.repeat(64))).toMatchObject({ status: 1 })
    expect(await run('none.json')).toMatchObject({ status: 2 })
    expect(await run()).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage') })
    // As the build leaves it, from no address of a console: it takes no key's word.
    const bare = spawnSync(process.execPath, ['built/atoll-statement.mjs', second], { encoding: 'utf8', cwd: folder })
    expect(bare).toMatchObject({ status: 2, stderr: expect.stringContaining('no key') })
  })

  it('runs from its address by npx, with no other package', async () => {
    const asked: string[] = []
    app.server.on('request', ({ url = '' }) => asked.push(url))
    const { port } = app.server.address() as AddressInfo // it listens on a port
    const address = `http://127.0.0.1:${port}${verifierPaths.package}`
    const { stdout } = await promisify(execFile)('npx', ['--yes', address, second, first], {
      cwd: folder,
      env: { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_registry: 'http://127.0.0.1:9' },
    })
    expect(stdout).toMatch(/^Sound: /)
    expect(new Set(asked)).toEqual(new Set([verifierPaths.package]))
  })

  it('carries a former key, and the one that signs in its place', async () => {
    const { db } = database
    expect(await retireStatementKey({ db, sealer, now: later(20) })).toBe(firstKey.publicKey)
    // Programs that sign at once agree on the new one.
    const lists = await Promise.all(
      Array.from({ length: 8 }, () => ensureStatementKeys({ db, sealer, now: later(20) })),
    )
    expect(new Set(lists.map(String)).size).toBe(1)
    const [present, ...past] = lists[0] ?? []
    expect(past).toEqual([firstKey.publicKey])
    writeFileSync(join(folder, 'newest.json'), await statementOf(harness))
    expect(await run(second, first)).toMatchObject({ status: 0, stdout: expect.stringContaining(firstKey.publicKey) })
    expect(await run('newest.json', second)).toMatchObject({ status: 0, stdout: expect.stringContaining(`${present}`) })
    expect(await run(other)).toMatchObject({ status: 1 })
    expect((await app.inject(statementKeyPath)).json()).toEqual({
      algorithm: 'Ed25519',
      publicKey: present,
      pastKeys: past,
    })
  })
})
