/** Certificates from a real authority (Pebble, which refuses nonces now and then), served by a real edge. */
import { X509Certificate } from 'node:crypto'
import http from 'node:http'
import { connect, type TLSSocket } from 'node:tls'
import { until, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../platform/crypto.ts'
import type { Ca, RenewalWindow } from './acme/ca.ts'
import { createHttpsHarness, type HttpsHarness } from './testing/https-harness.ts'

const missing = whyNoDnsPrograms()

/** Calls after which the worker is as dead. */
const deadly = new Set<string>()
/** The orders, in turn. */
const ordered: string[] = []
/** The chains that those orders replace. */
const replaced: (string | undefined)[] = []
/** The authority's suggestion about renewals; undefined: Pebble's own. */
let suggested: ((chain: string) => RenewalWindow | undefined) | undefined
function dying(ca: Ca): Ca {
  const dies =
    <A extends unknown[], T>(name: string, call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const result = await call(...args)
      if (deadly.delete(name)) throw new Error(`killed after ${name}`)
      return result
    }
  const order = dies('order', ca.order)
  return {
    findAccount: ca.findAccount,
    order: (names, replaces) => {
      ordered.push(names.join(' '))
      replaced.push(replaces)
      return order(names, replaces)
    },
    renewalOf: async (chain) => suggested?.(chain) ?? (await ca.renewalOf(chain)),
    read: ca.read,
    answer: dies('answer', ca.answer),
    finalize: dies('finalize', ca.finalize),
    download: dies('download', ca.download),
  }
}

describe.skipIf(missing !== undefined)(`HTTPS${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let harness: HttpsHarness
  beforeAll(async () => {
    harness = await createHttpsHarness(dying)
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const describeOf = (number: number) => harness.certificates.describe(harness.db, number)
  async function issued(number: number): Promise<void> {
    await until(`certificates of ${number}`, async () => {
      await harness.work()
      return (await describeOf(number)).state === 'valid'
    })
  }
  /** The certificate that a handshake presents; rejects with the handshake's alert. */
  async function handshake(host: string): Promise<X509Certificate> {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: harness.tlsPort, servername: host, rejectUnauthorized: false }
      const opening = connect(options, () => resolve(opening)).once('error', reject)
    })
    const certificate = socket.getPeerX509Certificate()
    socket.destroy()
    if (!certificate) throw new Error('no certificate was shown')
    return certificate
  }
  /** Orders for a domain that `link` made. */
  const ordersUnder = (domain: string) =>
    harness.db.selectFrom('acme_orders').where('registrable', '=', domain.slice('cloud.'.length))
  const forgetOrders = (domain: string) =>
    harness.db.deleteFrom('acme_orders').where('registrable', '=', domain.slice('cloud.'.length)).execute()
  /** As if the time to wait were over. */
  const retry = (number: number) =>
    harness.db
      .updateTable('certificates')
      .set({ next_try_at: harness.clock.now() })
      .where('domain', '=', number)
      .execute()
  const overHttp = (host: string, path: string) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: harness.httpPort, path, headers: { host }, agent: false }
      http.get(options, (answer) => resolve(answer.resume())).once('error', reject)
    })

  test('a delegated domain has wildcards, proven by our own name server, and hosts answer over HTTPS', async () => {
    const { domain, number } = await harness.link('lena', 'ns')
    expect(await describeOf(number)).toMatchObject({ state: 'waiting', validUntil: null, problem: null })
    await issued(number)
    expect(await harness.open(`lena.${domain}`)).toEqual({ host: `lena.${domain}`, scheme: 'https' })
    expect(await harness.open(`files.lena.${domain}`)).toEqual({ host: `files.lena.${domain}`, scheme: 'https' })
    const names = (
      await harness.db.selectFrom('certificates').select('names').where('domain', '=', number).execute()
    ).map((row) => row.names.join(' '))
    expect(names.toSorted()).toEqual([`*.lena.${domain}`, `${domain} *.${domain}`])
    const records = await harness.db
      .selectFrom('zone_records')
      .select(['name', 'type', 'value'])
      .where('domain', '=', domain)
      .execute()
    expect(records).toContainEqual({ name: domain, type: 'CAA', value: '0 issue "ca.test"' })
    expect(records.filter(({ type }) => type === 'TXT')).toEqual([])
  })

  test('port 80 sends visitors on, to the port that they can reach', async () => {
    const { domain } = await harness.link('lena', 'ns')
    const answer = await overHttp(`lena.${domain}`, '/a?b=c')
    expect([answer.statusCode, answer.headers.location]).toEqual([308, `https://lena.${domain}/a?b=c`])
    const withPort = await overHttp(`lena.${domain}:${harness.httpPort}`, '/')
    expect(withPort.headers.location).toBe(`https://lena.${domain}:${harness.tlsPort}/`)
  })

  test('keys are not readable in the database', async () => {
    const { number } = await harness.link('lena', 'ns')
    await issued(number)
    const rows = await harness.db.selectFrom('certificates').select('sealed_key').where('domain', '=', number).execute()
    for (const { sealed_key } of rows) expect(sealed_key).toMatch(/^v1\.[\w-]+$/)
    const { sealed_key } = await harness.db.selectFrom('acme_accounts').select('sealed_key').executeTakeFirstOrThrow()
    expect(sealed_key).toMatch(/^v1\.[\w-]+$/)
  })

  test('by CNAME each visited host is ordered once, however many come at the same time; an unknown one never', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    await issued(number)
    const host = `photos.lena.${domain}`
    async function visit() {
      let answer: { host: string; scheme: string } | undefined
      // On a slow machine the order may take longer than a handshake waits.
      await until('it opens', async () => {
        answer = await harness.open(host).catch(() => undefined)
        return answer !== undefined
      })
      return answer
    }
    let isDone = false
    const answers = Promise.all(Array.from({ length: 10 }, visit)).finally(() => {
      isDone = true
    })
    await until('visited', async () => {
      await harness.work()
      return isDone
    })
    for (const answer of await answers) expect(answer).toEqual({ host, scheme: 'https' })
    expect(ordered.filter((names) => names === host)).toHaveLength(1)
    const unknown = [`other.${domain}`, 'nobody.example', `a.b.lena.${domain}`]
    for (const name of unknown) await expect(handshake(name)).rejects.toThrow(/alert/)
    await harness.work()
    expect(ordered.filter((names) => unknown.includes(names))).toEqual([])
  })

  test('names that visitors invent cost nothing, and a registered one is ordered at its first visit', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    await issued(number)
    const rows = () => harness.db.selectFrom('certificates').select('names').where('domain', '=', number).execute()
    const before = (await rows()).length
    const invented = Array.from({ length: 12 }, (_, index) => `invented${index}.lena.${domain}`)
    await Promise.all(invented.map((host) => expect(handshake(host)).rejects.toThrow(/alert/)))
    // An agent that does not say what it registers gets nothing below its own host.
    harness.register(null)
    await expect(handshake(`photos.lena.${domain}`)).rejects.toThrow(/alert/)
    expect((await rows()).length).toBe(before)
    harness.register(['photos'])
    // A name that was refused a moment ago is looked up again after two seconds.
    const host = `photos.lena.${domain}`
    // A handshake waits for what is being ordered, so the work goes on beside it.
    let isOpen = false
    const opening = until('it opens', async () => {
      isOpen = await harness.open(host).then(
        () => true,
        () => false,
      )
      return isOpen
    })
    const working = until('its certificate came', async () => {
      await harness.work()
      return isOpen
    })
    await Promise.all([opening, working])
  })

  test.each(['order', 'answer', 'finalize', 'download'])('killed after %s, another worker goes on', async (call) => {
    deadly.add(call)
    const { number } = await harness.link('lena', 'ns')
    await until('it was killed', async () => {
      await harness.work().catch(() => undefined) // the kill, seen below
      return !deadly.has(call)
    })
    await issued(number)
    const rows = await harness.db
      .selectFrom('acme_orders')
      .innerJoin('certificates', 'certificates.id', 'acme_orders.certificate')
      .select(['certificates.id', 'acme_orders.state'])
      .where('certificates.domain', '=', number)
      .execute()
    expect(rows.map(({ state }) => state)).toEqual(['issued', 'issued'])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
  })

  test('a renewal refuses no handshake; while the authority is away the old one serves, and the call says why', async () => {
    const { domain, number } = await harness.link('lena', 'ns')
    await issued(number)
    const host = `lena.${domain}`
    const first = await handshake(host)
    // As if a third of its life were left.
    const [day, now] = [24 * 60 * 60_000, harness.clock.now()]
    const times = { not_before: new Date(now.getTime() - 60 * day), not_after: new Date(now.getTime() + 30 * day) }
    await harness.db
      .updateTable('certificates')
      .set({ ...times, next_try_at: now })
      .where('domain', '=', number)
      .execute()
    await harness.pebble.kill()
    await harness.work()
    await harness.work()
    expect(await describeOf(number)).toMatchObject({
      state: 'valid',
      validUntil: expect.any(String),
      problem: { key: 'caUnreachable', nextAt: expect.any(String) },
    })
    expect((await handshake(host)).serialNumber).toBe(first.serialNumber)
    await harness.pebble.start()
    harness.clock.advance(day)
    const shown = new Set<string>()
    await until('renewed', async () => {
      // It forgot our account: noticed at the first try, registered again at the next.
      harness.clock.advance(10 * 60_000)
      await harness.work()
      shown.add((await handshake(host)).serialNumber)
      return shown.size === 2
    })
    const orders = await ordersUnder(domain).where('state', '=', 'issued').select('is_renewal').execute()
    expect(orders.map(({ is_renewal }) => is_renewal)).toEqual(expect.arrayContaining([false, true]))
    await until('nothing is in the way', async () => {
      harness.clock.advance(10 * 60_000)
      await harness.work()
      return (await describeOf(number)).problem === null
    })
  })

  test('is renewed when its authority suggests, in place of the one before; asked as often as it says', async () => {
    onTestFinished(() => {
      suggested = undefined
    })
    const { domain, number } = await harness.link('juno', 'ns')
    const [hour, day] = [60 * 60_000, 24 * 60 * 60_000]
    const after = (ms: number) => new Date(harness.clock.now().getTime() + ms)
    const rows = () =>
      harness.db
        .selectFrom('certificates')
        .select(['chain', 'renew_at', 'next_try_at'])
        .where('domain', '=', number)
        .orderBy('id')
        .execute()
    const later = { start: after(10 * day), end: after(12 * day), retryAfterMs: 3 * hour }
    suggested = () => later
    await issued(number)
    await until('its renewal is planned', async () => {
      await harness.work()
      return (await rows()).every((row) => row.renew_at !== null)
    })
    const planned = await rows()
    for (const { renew_at, next_try_at } of planned) {
      expect(renew_at && renew_at >= later.start && renew_at <= later.end).toBe(true)
      expect(next_try_at.getTime()).toBeGreaterThan(harness.clock.now().getTime() + 2 * hour)
      expect(next_try_at.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime() + 3 * hour)
    }
    const orders = () => ordered.filter((names) => names.includes(domain)).length
    const before = orders()
    harness.clock.advance(4 * hour)
    await harness.work()
    expect(orders()).toBe(before)
    expect((await rows()).map((row) => row.renew_at)).toEqual(planned.map((row) => row.renew_at))

    // As when it has to revoke what it issued.
    const past = { start: after(-2 * day), end: after(-day), retryAfterMs: 3 * hour }
    suggested = (one) => (planned.some(({ chain }) => chain === one) ? past : undefined)
    harness.clock.advance(4 * hour)
    await until('all are renewed', async () => {
      await harness.work()
      const now = await rows()
      return planned.every(({ chain }) => now.every((row) => row.chain !== chain))
    })
    const under = ordered.flatMap((names, n) => (names.includes(domain) && replaced[n] ? [replaced[n]] : []))
    expect(new Set(under)).toEqual(new Set(planned.map(({ chain }) => chain)))
  })

  test('a certificate without its key is replaced', async () => {
    const { domain, number } = await harness.link('lena', 'ns')
    await issued(number)
    const { serialNumber } = await handshake(`lena.${domain}`)
    await harness.db
      .updateTable('certificates')
      .set({ sealed_key: 'v1.damaged' })
      .where('domain', '=', number)
      .execute()
    const source = harness.certificates.openSource()
    const again = source.find(`lena.${domain}`)
    await until('replaced', async () => {
      await harness.work()
      const row = await harness.db
        .selectFrom('certificates')
        .select('chain')
        .where('domain', '=', number)
        .where('sealed_key', '<>', 'v1.damaged')
        .executeTakeFirst()
      return row?.chain !== undefined && new X509Certificate(row.chain ?? '').serialNumber !== serialNumber
    })
    await again
    source.close()
    // The edge picks it up.
    await expect.poll(async () => (await handshake(`lena.${domain}`)).serialNumber).not.toBe(serialNumber)
  })

  test('of a removed domain nothing is left: no route, no certificate, no zone', async () => {
    const linked = await harness.link('lena', 'ns')
    await issued(linked.number)
    await harness.open(`lena.${linked.domain}`)
    await harness.remove(linked)
    await expect.poll(async () => (await overHttp(`lena.${linked.domain}`, '/')).statusCode).toBe(404)
    await expect(handshake(`lena.${linked.domain}`)).rejects.toThrow(/alert/)
    const count = async (table: 'certificates' | 'cluster_hosts') =>
      (await harness.db.selectFrom(table).select('domain').where('domain', '=', linked.number).execute()).length
    expect([await count('certificates'), await count('cluster_hosts')]).toEqual([0, 0])
    expect(await harness.db.selectFrom('zones').select('domain').where('domain', '=', linked.domain).execute()).toEqual(
      [],
    )
    // Issued certificates still count towards the authority's limits; none of their keys is kept.
    const orders = await ordersUnder(linked.domain).select(['state', 'sealed_key']).execute()
    expect(orders).toEqual(orders.map(() => ({ state: 'issued', sealed_key: '' })))
    expect(orders.length).toBeGreaterThan(1)
  })

  test('what authorities bear is not passed: fifty a week under one registered domain, five failures an hour', async () => {
    const { domain, number } = await harness.link('lena', 'ns')
    await harness.work()
    const at = harness.clock.now()
    // Of certificates that are gone: the domain was removed and added again.
    const add = (state: 'issued' | 'failed', count: number, names: string[] = [], is_renewal = false) =>
      Array.from({ length: count }, () => ({
        id: newId('ao'),
        certificate: newId('crt'),
        names,
        registrable: domain.slice('cloud.'.length),
        url: '',
        sealed_key: '',
        state,
        is_renewal,
        created_at: at,
        ended_at: at,
      }))
    await forgetOrders(domain)
    const failed = [[domain, `*.${domain}`], [`*.lena.${domain}`]].flatMap((names) => add('failed', 5, names))
    await harness.db.insertInto('acme_orders').values(failed).execute()
    const hour = 60 * 60_000
    const obstacle = async (since: number) => {
      await retry(number)
      await harness.work()
      expect(await describeOf(number)).toMatchObject({ state: 'waiting', problem: { key: 'orderLimit' } })
      const row = await harness.db
        .selectFrom('certificates')
        .select('next_try_at')
        .where('domain', '=', number)
        .orderBy('next_try_at')
        .executeTakeFirstOrThrow()
      expect(row.next_try_at.getTime()).toBeGreaterThanOrEqual(at.getTime() + since)
    }
    await obstacle(hour)
    await forgetOrders(domain)
    await harness.db.insertInto('acme_orders').values(add('issued', 50)).execute()
    await obstacle(7 * 24 * hour)
    await forgetOrders(domain)
    // As many as there may be, were they new ones.
    await harness.db
      .insertInto('acme_orders')
      .values(add('issued', 50, [], true))
      .execute()
    await retry(number)
    await issued(number)
  })

  test('a further cluster has a host of its own, answered by the name server', async () => {
    const { domain, userid, number } = await harness.link('lena', 'ns')
    await harness.addCluster(userid)
    await issued(number)
    expect(await harness.open(`app.lena-2.${domain}`)).toEqual({ host: `app.lena-2.${domain}`, scheme: 'https' })
  })
})
