/**
 * One wildcard in place of a certificate for each host, for domains that are used by CNAME: their owner points
 * `_acme-challenge` to a zone of this deployment. Name server, lookups and authority (Pebble) are real.
 */
import { until, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { createHttpsHarness, type HttpsHarness } from './testing/https-harness.ts'

const missing = whyNoDnsPrograms()

describe.skipIf(missing !== undefined)(`a challenge by CNAME${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let harness: HttpsHarness
  const ordered: string[] = []
  beforeAll(async () => {
    const noting = (ca: Parameters<NonNullable<Parameters<typeof createHttpsHarness>[0]>>[0]) => ({
      ...ca,
      order: (names: readonly string[], replaces?: string) => {
        ordered.push(names.join(' '))
        return ca.order(names, replaces)
      },
    })
    harness = await createHttpsHarness(noting, 10, 'challenges.dns.test')
  })
  afterAll(() => harness?.[Symbol.asyncDispose]())

  const rowsOf = (number: number) =>
    harness.db
      .selectFrom('certificates')
      .select(['names', 'wanted', 'not_after'])
      .where('domain', '=', number)
      .orderBy('names')
      .execute()
  const wantedOf = async (number: number) =>
    (await rowsOf(number)).flatMap(({ names, wanted }) => (wanted ? [names.join(' ')] : []))
  const servedOf = async (number: number) =>
    (await rowsOf(number)).flatMap(({ names, not_after: end }) => (end === null ? [] : [names.join(' ')]))

  /** Writes the records of the owner's own DNS; `target` undefined: the CNAME is missing. */
  async function writeHarness(domain: string, target: string | undefined): Promise<void> {
    const records = [
      { name: `*.${domain}`, type: 'A' as const, value: '127.0.0.1' },
      ...(target === undefined ? [] : [{ name: `_acme-challenge.${domain}`, type: 'CNAME' as const, value: target }]),
    ]
    await harness.db
      .transaction()
      .execute((trx) => harness.dns.setZone(trx, { domain, nameServers: ['ns.world.test'], records }))
    await until('the world says so', async () => {
      const pointed = await harness.dns.challenges?.isPointed(domain)
      return pointed === (target === harness.dns.challenges?.zoneOf(domain))
    })
  }

  /** As *Check now* does. */
  async function check(number: number): Promise<void> {
    await harness.db
      .updateTable('domains')
      .set({ next_check_at: harness.clock.now() })
      .where('number', '=', number)
      .execute()
    const job = harness.domains.jobs.find(({ name }) => name === 'domain.reconcile')
    await job?.run({ id: String(number) }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  }

  const issued = (number: number, names: string) =>
    until(`${names} is issued`, async () => {
      await harness.work()
      return (await servedOf(number)).includes(names)
    })

  test("serves the deployment's own hosts, and all of its clusters with one wildcard, and sends HTTP there", async () => {
    const own = { hosts: ['console.test'], edgeDomain: 'edge.test' }
    const want = (names: typeof own) =>
      harness.db.transaction().execute((trx) => harness.certificates.wantOwn(trx, names))
    await harness.db.transaction().execute((trx) =>
      harness.dns.setZone(trx, {
        domain: 'console.test',
        nameServers: ['ns.world.test'],
        records: [{ name: 'console.test', type: 'A', value: '127.0.0.1' }],
      }),
    )
    await writeHarness('edge.test', harness.dns.challenges?.zoneOf('edge.test'))
    await want(own)
    await want(own)
    expect(await wantedOf(0)).toEqual(['*.edge.test', 'console.test'])
    await issued(0, 'console.test')
    await issued(0, '*.edge.test')
    expect(await harness.open('console.test')).toEqual({ host: 'console.test', scheme: 'https' })
    const sent = await harness.openPlain('console.test', '/clusters?page=2')
    expect(sent).toEqual({ status: 308, location: 'https://console.test/clusters?page=2' })
    await want({ ...own, hosts: [] })
    expect(await wantedOf(0)).toEqual([])
  })

  test('has one wildcard ordered, which serves every host, and none of them alone', async () => {
    const { domain, number, userid } = await harness.link('lena', 'cname')
    expect(await wantedOf(number)).toEqual([`lena.${domain}`])
    await writeHarness(domain, harness.dns.challenges?.zoneOf(domain))
    await check(number)
    expect(await wantedOf(number)).toEqual([`*.${domain}`])
    await issued(number, `*.${domain}`)
    expect(await harness.open(`lena.${domain}`)).toEqual({ host: `lena.${domain}`, scheme: 'https' })
    // A further cluster has HTTPS at once, without another order.
    await harness.addCluster(userid)
    expect(await harness.open(`lena-2.${domain}`)).toEqual({ host: `lena-2.${domain}`, scheme: 'https' })
    expect(ordered.filter((names) => names.endsWith(domain))).toEqual([`*.${domain}`])
    // No challenge is left over.
    const records = await harness.db
      .selectFrom('zone_records')
      .select('value')
      .where('domain', '=', harness.dns.challenges?.zoneOf(domain) ?? '')
      .execute()
    expect(records).toEqual([])
  })

  test('orders a registered name below a host alone, which the wildcard does not cover', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    await writeHarness(domain, harness.dns.challenges?.zoneOf(domain))
    await check(number)
    await issued(number, `*.${domain}`)
    // The visit orders; the handshake may be over before it is issued.
    await harness.open(`invented.lena.${domain}`).catch(() => undefined)
    const visit = harness.open(`photos.lena.${domain}`).catch(() => undefined)
    await issued(number, `photos.lena.${domain}`)
    await visit
    expect(await servedOf(number)).toEqual([`*.${domain}`, `photos.lena.${domain}`])
  })

  test('that points elsewhere changes nothing, and one that is taken back has each host ordered again', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    await writeHarness(domain, 'ffffffffffffffffffffffff.challenges.dns.test')
    await check(number)
    expect(await wantedOf(number)).toEqual([`lena.${domain}`])
    await writeHarness(domain, harness.dns.challenges?.zoneOf(domain))
    await check(number)
    await issued(number, `*.${domain}`)
    await writeHarness(domain, undefined)
    await check(number)
    // It serves until each host has its own.
    expect(await wantedOf(number)).toEqual([`*.${domain}`, `lena.${domain}`])
    await issued(number, `lena.${domain}`)
    await check(number)
    expect(await wantedOf(number)).toContain(`lena.${domain}`)
  })

  test('that nobody answers for keeps what was seen', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    await writeHarness(domain, harness.dns.challenges?.zoneOf(domain))
    await check(number)
    await harness.db.transaction().execute((trx) => harness.dns.removeZone(trx, { domain }))
    await until('nobody answers', async () => (await harness.dns.challenges?.isPointed(domain)) === undefined)
    await check(number)
    expect(await wantedOf(number)).toEqual([`*.${domain}`])
  })

  test('ends with the claim, its zone too', async () => {
    const linked = await harness.link('lena', 'cname')
    await writeHarness(linked.domain, harness.dns.challenges?.zoneOf(linked.domain))
    await check(linked.number)
    await issued(linked.number, `*.${linked.domain}`)
    await harness.remove(linked)
    expect(await rowsOf(linked.number)).toEqual([])
    const zone = await harness.dns.findZone(harness.db, harness.dns.challenges?.zoneOf(linked.domain) ?? '')
    expect(zone).toBeUndefined()
  })
})
