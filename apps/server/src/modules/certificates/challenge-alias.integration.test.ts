/**
 * One wildcard in place of a certificate for each host, for domains that are used by CNAME: their owner points
 * `_acme-challenge` to a zone of this deployment. Name server, lookups and authority (Pebble) are real.
 */
import { until, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { createHttpsWorld, type HttpsWorld } from './testing/https-world.ts'

const missing = whyNoDnsPrograms()

describe.skipIf(missing !== undefined)(`a challenge by CNAME${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let world: HttpsWorld
  const ordered: string[] = []
  beforeAll(async () => {
    const noting = (ca: Parameters<NonNullable<Parameters<typeof createHttpsWorld>[0]>>[0]) => ({
      ...ca,
      order: (names: readonly string[], replaces?: string) => {
        ordered.push(names.join(' '))
        return ca.order(names, replaces)
      },
    })
    world = await createHttpsWorld(noting, 10, 'challenges.dns.test')
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  const rowsOf = (number: number) =>
    world.db
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
  async function writeWorld(domain: string, target: string | undefined): Promise<void> {
    const records = [
      { name: `*.${domain}`, type: 'A' as const, value: '127.0.0.1' },
      ...(target === undefined ? [] : [{ name: `_acme-challenge.${domain}`, type: 'CNAME' as const, value: target }]),
    ]
    await world.db
      .transaction()
      .execute((trx) => world.dns.setZone(trx, { domain, nameServers: ['ns.world.test'], records }))
    await until('the world says so', async () => {
      const pointed = await world.dns.challenges?.isPointed(domain)
      return pointed === (target === world.dns.challenges?.zoneOf(domain))
    })
  }

  /** As *Check now* does. */
  async function check(number: number): Promise<void> {
    await world.db
      .updateTable('domains')
      .set({ next_check_at: world.clock.now() })
      .where('number', '=', number)
      .execute()
    const job = world.domains.jobs.find(({ name }) => name === 'domain.reconcile')
    await job?.run({ id: String(number) }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  }

  const issued = (number: number, names: string) =>
    until(`${names} is issued`, async () => {
      await world.work()
      return (await servedOf(number)).includes(names)
    })

  test("serves the deployment's own hosts, and all of its clusters with one wildcard, and sends HTTP there", async () => {
    const own = { hosts: ['console.test'], edgeDomain: 'edge.test' }
    const want = (names: typeof own) => world.db.transaction().execute((trx) => world.certificates.wantOwn(trx, names))
    await world.db.transaction().execute((trx) =>
      world.dns.setZone(trx, {
        ...{ domain: 'console.test', nameServers: ['ns.world.test'] },
        records: [{ name: 'console.test', type: 'A', value: '127.0.0.1' }],
      }),
    )
    await writeWorld('edge.test', world.dns.challenges?.zoneOf('edge.test'))
    await want(own)
    await want(own)
    expect(await wantedOf(0)).toEqual(['*.edge.test', 'console.test'])
    await issued(0, 'console.test')
    await issued(0, '*.edge.test')
    expect(await world.open('console.test')).toEqual({ host: 'console.test', scheme: 'https' })
    const sent = await world.openPlain('console.test', '/clusters?page=2')
    expect(sent).toEqual({ status: 308, location: 'https://console.test/clusters?page=2' })
    await want({ ...own, hosts: [] })
    expect(await wantedOf(0)).toEqual([])
  })

  test('has one wildcard ordered, which serves every host, and none of them alone', async () => {
    const { domain, number, userid } = await world.link('lena', 'cname')
    expect(await wantedOf(number)).toEqual([`lena.${domain}`])
    await writeWorld(domain, world.dns.challenges?.zoneOf(domain))
    await check(number)
    expect(await wantedOf(number)).toEqual([`*.${domain}`])
    await issued(number, `*.${domain}`)
    expect(await world.open(`lena.${domain}`)).toEqual({ host: `lena.${domain}`, scheme: 'https' })
    // A further cluster has HTTPS at once, without another order.
    await world.addCluster(userid)
    expect(await world.open(`lena-2.${domain}`)).toEqual({ host: `lena-2.${domain}`, scheme: 'https' })
    expect(ordered.filter((names) => names.endsWith(domain))).toEqual([`*.${domain}`])
    // No challenge is left over.
    const records = await world.db
      .selectFrom('zone_records')
      .select('value')
      .where('domain', '=', world.dns.challenges?.zoneOf(domain) ?? '')
      .execute()
    expect(records).toEqual([])
  })

  test('orders a registered name below a host alone, which the wildcard does not cover', async () => {
    const { domain, number } = await world.link('lena', 'cname')
    await writeWorld(domain, world.dns.challenges?.zoneOf(domain))
    await check(number)
    await issued(number, `*.${domain}`)
    // The visit orders; the handshake may be over before it is issued.
    await world.open(`invented.lena.${domain}`).catch(() => undefined)
    const visit = world.open(`photos.lena.${domain}`).catch(() => undefined)
    await issued(number, `photos.lena.${domain}`)
    await visit
    expect(await servedOf(number)).toEqual([`*.${domain}`, `photos.lena.${domain}`])
  })

  test('that points elsewhere changes nothing, and one that is taken back has each host ordered again', async () => {
    const { domain, number } = await world.link('lena', 'cname')
    await writeWorld(domain, 'ffffffffffffffffffffffff.challenges.dns.test')
    await check(number)
    expect(await wantedOf(number)).toEqual([`lena.${domain}`])
    await writeWorld(domain, world.dns.challenges?.zoneOf(domain))
    await check(number)
    await issued(number, `*.${domain}`)
    await writeWorld(domain, undefined)
    await check(number)
    // It serves until each host has its own.
    expect(await wantedOf(number)).toEqual([`*.${domain}`, `lena.${domain}`])
    await issued(number, `lena.${domain}`)
    await check(number)
    expect(await wantedOf(number)).toContain(`lena.${domain}`)
  })

  test('that nobody answers for keeps what was seen', async () => {
    const { domain, number } = await world.link('lena', 'cname')
    await writeWorld(domain, world.dns.challenges?.zoneOf(domain))
    await check(number)
    await world.db.transaction().execute((trx) => world.dns.removeZone(trx, { domain }))
    await until('nobody answers', async () => (await world.dns.challenges?.isPointed(domain)) === undefined)
    await check(number)
    expect(await wantedOf(number)).toEqual([`*.${domain}`])
  })

  test('ends with the claim, its zone too', async () => {
    const linked = await world.link('lena', 'cname')
    await writeWorld(linked.domain, world.dns.challenges?.zoneOf(linked.domain))
    await check(linked.number)
    await issued(linked.number, `*.${linked.domain}`)
    await world.remove(linked)
    expect(await rowsOf(linked.number)).toEqual([])
    const zone = await world.dns.findZone(world.db, world.dns.challenges?.zoneOf(linked.domain) ?? '')
    expect(zone).toBeUndefined()
  })
})
