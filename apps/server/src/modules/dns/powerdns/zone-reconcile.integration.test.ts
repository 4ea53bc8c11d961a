import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestClock, startPowerDns, type TestClock, type TestPowerDns, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { beCareful, endCareful, findCareful, findDoubt, raiseStartDoubts } from '../../../platform/careful/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { listStrays, recountStrays } from '../../../platform/strays/index.ts'
import { removeZone, setZone } from '../zones/zone-store.ts'
import { listCopies } from './copy-store.ts'
import { createPowerDnsDriver, type PowerDnsDriver } from './powerdns.ts'
import { renumberZones } from './zone-strays.ts'

const missing = whyNoDnsPrograms()
const minuteMs = 60_000
const database = useDatabase()
let clock: TestClock

beforeEach(() => {
  clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
})

const driverFor = (url: string, secret = 'ours') =>
  createPowerDnsDriver({
    strayMs: 7 * 24 * 60 * 60_000,
    db: database.db,
    clock,
    log: silentLog,
    settings: { urls: [url], key: 'the-key-of-a-test' },
    secrets: [secret],
  })

async function run(driver: PowerDnsDriver, name: string, payload: unknown): Promise<void> {
  const job = driver.jobs.find((one) => one.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  await job.run(payload, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
const reconcile = (driver: PowerDnsDriver, domain: string) => run(driver, 'zone.reconcile', { id: domain })

/** Runs a job and then the zones that it woke; gives their domains. */
async function wakeBy(driver: PowerDnsDriver, name: string): Promise<string[]> {
  await database.pool.query('delete from graphile_worker._private_jobs')
  await run(driver, name, {})
  const { rows } = await database.pool.query<{ payload: { id: string } }>(
    'select payload from graphile_worker._private_jobs order by payload::text',
  )
  const woken = rows.map(({ payload }) => payload.id)
  for (const domain of woken) await reconcile(driver, domain)
  return woken
}

const set = (domain: string, value = '192.0.2.1') =>
  database.db.transaction().execute((trx) =>
    setZone(trx, {
      domain,
      nameServers: ['ns1.host.example'],
      records: [
        { name: `a.${domain}`, type: 'A', value },
        { name: `b.${domain}`, type: 'TXT', value: 'kept' },
      ],
    }),
  )
const remove = (domain: string) => database.db.transaction().execute((trx) => removeZone(trx, { domain }))
const copyOf = async (domain: string) => (await listCopies(database.db, domain))[0]

describe.skipIf(missing !== undefined)(`zones in PowerDNS${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let program: TestPowerDns
  let driver: PowerDnsDriver
  beforeAll(async () => {
    program = await startPowerDns()
  })
  afterAll(() => program?.[Symbol.asyncDispose]())
  beforeEach(() => {
    driver = driverFor(program.url)
  })

  const Zone = z.object({
    serial: z.number(),
    soa_edit_api: z.string(),
    rrsets: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        ttl: z.number(),
        records: z.array(z.object({ content: z.string(), disabled: z.boolean() })),
      }),
    ),
  })
  async function read(domain: string) {
    const { status, text } = await program.ask('GET', `zones/${domain}.`)
    return status === 404 ? undefined : Zone.parse(JSON.parse(text))
  }
  const contents = async (domain: string) =>
    (await read(domain))?.rrsets
      .filter(({ type }) => type !== 'SOA' && type !== 'NS')
      .flatMap(({ name, type, ttl, records }) =>
        records.map(({ content, disabled }) => `${name} ${ttl} ${type} ${content}${disabled ? ' off' : ''}`),
      )
      .toSorted()

  const change = (domain: string, rrset: object) =>
    program.ask('PATCH', `zones/${domain}.`, { rrsets: [{ name: `a.${domain}.`, type: 'A', ...rrset }] })
  const record = (content: string, disabled = false) => ({
    changetype: 'REPLACE',
    ttl: 60,
    records: [{ content, disabled }],
  })

  it.each<[string, (domain: string) => Promise<unknown>]>([
    ['a changed record', (domain) => change(domain, record('203.0.113.1'))],
    ['a missing record', (domain) => change(domain, { changetype: 'DELETE' })],
    ['a disabled record', (domain) => change(domain, record('192.0.2.1', true))],
    ['another TTL', (domain) => change(domain, { ...record('192.0.2.1'), ttl: 3600 })],
    ['a record too many', (domain) => change(domain, { ...record('203.0.113.2'), name: `c.${domain}.` })],
    [
      'another serial',
      (domain) =>
        program
          .ask('PUT', `zones/${domain}.`, { soa_edit_api: 'INCREASE' })
          .then(() => change(domain, record('203.0.113.3'))),
    ],
    ['a zone that is gone', (domain) => program.ask('DELETE', `zones/${domain}.`)],
  ])('%s is found within minutes and put right', async (what, spoil) => {
    const domain = `${what.replaceAll(/\W/g, '-').toLowerCase()}.example`
    const { version } = await set(domain)
    expect(await wakeBy(driver, 'zone.sweep')).toContain(domain)
    const right = [`a.${domain}. 60 A 192.0.2.1`, `b.${domain}. 60 TXT "kept"`]
    expect(await contents(domain)).toEqual(right)
    expect(await read(domain)).toMatchObject({ serial: version, soa_edit_api: '' })
    expect(await wakeBy(driver, 'zone.sweep')).toEqual([])

    await spoil(domain)
    expect(await contents(domain)).not.toEqual(right)
    clock.advance(11 * minuteMs)
    expect(await wakeBy(driver, 'zone.sweep')).toContain(domain)
    expect(await contents(domain)).toEqual(right)
    expect(await read(domain)).toMatchObject({ serial: version, soa_edit_api: '' })
    expect((await driver.measure())[0]?.repairs).toBeGreaterThan(0)
  })

  it('one change of the world outside is one PATCH of what differs', async () => {
    await set('patch.example')
    await reconcile(driver, 'patch.example')
    const before = (await driver.measure())[0]?.calls['done'] ?? 0
    await set('patch.example', '192.0.2.2')
    await reconcile(driver, 'patch.example')
    // A read and the change.
    expect((await driver.measure())[0]?.calls['done']).toBe(before + 2)
    expect(await contents('patch.example')).toContain('a.patch.example. 60 A 192.0.2.2')
  })

  it('a removed zone goes, from wherever it was left; one that others made is never touched', async () => {
    await set('left.example')
    await reconcile(driver, 'left.example')
    await remove('left.example')
    expect(await wakeBy(driver, 'zone.sweep')).toContain('left.example')
    expect([await read('left.example'), await copyOf('left.example')]).toEqual([undefined, undefined])

    await program.ask('POST', 'zones', { name: 'theirs.example.', kind: 'Native', nameservers: ['ns.theirs.example.'] })
    const theirs = await read('theirs.example')
    await set('theirs.example')
    await reconcile(driver, 'theirs.example')
    expect(await copyOf('theirs.example')).toMatchObject({ problem: 'foreign', version: null, failures: 1 })
    await remove('theirs.example')
    await reconcile(driver, 'theirs.example')
    expect([await copyOf('theirs.example'), await read('theirs.example')]).toEqual([undefined, theirs])
    await program.ask('DELETE', 'zones/theirs.example.')
  })

  it('one that no row knows is listed, kept for 7 days and only then removed; while careful it is only listed', async () => {
    // As after a restore of the database: the zone is there, and no row knows.
    await set('stray.example')
    await reconcile(driver, 'stray.example')
    await remove('stray.example')
    await database.db.deleteFrom('zone_copies').where('domain', '=', 'stray.example').execute()
    const listed = async () => (await listStrays(database.db)).map(({ kind, object }) => `${kind} ${object}`)
    await run(driverFor(program.url, 'another deployment'), 'zone.strays', {})
    expect(await listed()).toEqual([])

    await beCareful(database.db, 'restored', clock.now())
    await run(driver, 'zone.strays', {})
    expect(await listed()).toEqual(['zone stray.example'])
    clock.advance(8 * 24 * 60 * minuteMs)
    await run(driver, 'zone.strays', {})
    expect(await wakeBy(driver, 'zone.sweep')).not.toContain('stray.example')
    expect(await read('stray.example')).toBeDefined()

    await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
    await recountStrays(database.db)
    await run(driver, 'zone.strays', {})
    clock.advance(6.9 * 24 * 60 * minuteMs)
    await run(driver, 'zone.strays', {})
    expect(await read('stray.example')).toBeDefined()
    clock.advance(0.2 * 24 * 60 * minuteMs)
    await run(driver, 'zone.strays', {})
    expect([await read('stray.example'), await listed()]).toEqual([undefined, []])
  })

  /** Sets the database to the state of an earlier backup. */
  async function restored(domain: string, version: number): Promise<void> {
    await database.pool.query(`select setval('zone_versions', $1)`, [version])
    await database.pool.query(`update zones set version = $1 where domain = $2`, [version, domain])
    await database.pool.query(`update zone_publications set serial = $1 where server = $2`, [version, program.url])
  }

  it('one with a later serial than this database ever gave it makes it careful, and is older after resume', async () => {
    const { version } = await set('ahead.example')
    await reconcile(driver, 'ahead.example')
    const now = clock.now()
    expect([await driver.sources[0]?.ask(now), await findCareful(database.db)]).toEqual([undefined, undefined])
    // As in a database restored from before, in which others wanted zones meanwhile: the counter has passed it.
    await restored('ahead.example', version - 1)
    await database.pool.query(`select setval('zone_versions', $1)`, [version + 5])
    expect(await driver.sources[0]?.ask(now)).toBeUndefined()
    expect((await findCareful(database.db))?.why).toContain(`with serial ${version}`)
    await renumberZones(database.db)
    await database.db.transaction().execute((trx) => endCareful(trx, now))
    await reconcile(driver, 'ahead.example')
    expect((await read('ahead.example'))?.serial).toBeGreaterThan(version)
  })

  it('after a start it is asked before it is written to, and not written to where it is newer', async () => {
    const { version } = await set('asked.example')
    await reconcile(driver, 'asked.example')
    const source = `zones ${program.url}` as const
    await raiseStartDoubts(database.db, [source], clock.now())
    await set('asked.example', '192.0.2.2')
    await reconcile(driver, 'asked.example')
    expect(await findDoubt(database.db, source)).toBeUndefined()
    expect(await contents('asked.example')).toContain('a.asked.example. 60 A 192.0.2.2')

    await restored('asked.example', version - 1)
    await raiseStartDoubts(database.db, [source], clock.now())
    const before = await read('asked.example')
    await reconcile(driver, 'asked.example')
    expect((await findCareful(database.db))?.why).toContain(program.url)
    expect(await read('asked.example')).toEqual(before)

    await renumberZones(database.db)
    await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
    expect(await wakeBy(driver, 'zone.sweep')).toContain('asked.example')
    expect((await read('asked.example'))?.serial).toBeGreaterThan(before?.serial ?? 0)
    // One that is not used any more is asked by nobody, and waited for by nothing.
    await raiseStartDoubts(database.db, ['zones http://127.0.0.1:9'], clock.now())
    await raiseStartDoubts(database.db, [source], clock.now())
    expect(await findDoubt(database.db, 'zones http://127.0.0.1:9')).toBeUndefined()
    await reconcile(driver, 'asked.example')
  })

  it('a wrong key is reported and tried ever later, and nothing is lost', async () => {
    const { version } = await set('locked.example')
    const wrong = createPowerDnsDriver({
      strayMs: 7 * 24 * 60 * 60_000,
      db: database.db,
      clock,
      log: silentLog,
      settings: { urls: [program.url], key: 'wrong' },
      secrets: ['ours'],
    })
    await reconcile(wrong, 'locked.example')
    const first = await copyOf('locked.example')
    expect(first).toMatchObject({
      problem: 'refused',
      failures: 1,
      next_try_at: new Date(clock.now().getTime() + 5000),
    })
    expect(await wakeBy(wrong, 'zone.sweep')).not.toContain('locked.example')
    clock.advance(minuteMs)
    expect(await wakeBy(wrong, 'zone.sweep')).toContain('locked.example')
    expect(await copyOf('locked.example')).toMatchObject({ failures: 2 })
    await reconcile(driver, 'locked.example')
    expect(await copyOf('locked.example')).toMatchObject({ version, failures: 0, problem: null, next_try_at: null })
  })
})

describe('an answer that is none', () => {
  /** A server that says this to everything. */
  async function say(status: number, body: string | Buffer): Promise<PowerDnsDriver> {
    const server = createServer((_, response) => response.writeHead(status, { location: '/elsewhere' }).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo
    return driverFor(`http://127.0.0.1:${port}`)
  }
  it.each<[string, number, string, string]>([
    ['a page', 200, '<html>', 'refused'],
    ['a zone of another form', 200, '{"rrsets":7}', 'refused'],
    ['a refusal', 403, 'no', 'refused'],
    ['a way elsewhere', 302, '', 'away'],
    ['a failure', 500, 'oh', 'away'],
    ['too much', 200, `"${'x'.repeat(49_000_000)}"`, 'away'],
  ])('such as %s leaves the zone to be published later', async (what, status, body, problem) => {
    const domain = `${what.replaceAll(' ', '-')}.test`
    await set(domain)
    const driver = await say(status, body)
    await reconcile(driver, domain)
    const [row, ...others] = (await listCopies(database.db, domain)).filter((copy) => copy.problem !== null)
    expect([row?.problem, row?.version, others]).toEqual([problem, null, []])
    // Asked again only after a while.
    const calls = (await driver.measure())[0]?.calls
    await reconcile(driver, domain)
    if (problem === 'away') expect((await driver.measure())[0]?.calls).toEqual(calls)
    await remove(domain)
    await database.db.deleteFrom('zone_copies').where('domain', '=', domain).execute()
  })
})
