/**
 * Names that visits ask for: how long they are kept, who removes them, and how many an account gets (Pebble issues).
 */
import { until, whyNoDnsPrograms } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raiseDoubt, settleDoubt } from '../../platform/careful/index.ts'
import { removeCertificate } from '../domains/claims/domain-service.ts'
import type { CertificateChanges } from './stores/certificate-store.ts'
import { createHttpsHarness, type HttpsHarness } from './testing/https-harness.ts'

const missing = whyNoDnsPrograms()
/** For this name alone. */
const isFor = (host: string) => sql<boolean>`names = ${[host]}::text[]`
const day = 24 * 60 * 60_000

describe.skipIf(missing !== undefined)(`visited names${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let harness: HttpsHarness
  beforeAll(async () => {
    harness = await createHttpsHarness(undefined, 3)
    harness.register(['photos', 'notes', 'mail', 'music'])
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const rowsOf = (number: number) =>
    harness.db
      .selectFrom('certificates')
      .select(['names', 'chain', 'visited_at', 'problem'])
      .where('domain', '=', number)
      .orderBy('names')
      .execute()
  const rowOf = async (number: number, host: string) => (await rowsOf(number)).find(({ names }) => names[0] === host)
  const set = (host: string, values: CertificateChanges) => update().set(values).where(isFor(host)).execute()
  const update = () => harness.db.updateTable('certificates')
  const daysFrom = (days: number) => new Date(harness.clock.now().getTime() + days * day)
  /** As an edge that hears of the host for the first time. */
  async function visit(host: string): Promise<boolean> {
    const source = harness.certificates.openSource()
    const found = source.find(host)
    await until('it is being ordered, or there', async () => {
      const [row] = await harness.db.selectFrom('certificates').select('id').where(isFor(host)).execute()
      return row !== undefined
    })
    source.close()
    return (await found) !== undefined
  }
  const issue = (host: string) =>
    until(`a certificate for ${host}`, async () => {
      await harness.work()
      const [row] = await harness.db.selectFrom('certificates').select('chain').where(isFor(host)).execute()
      return row?.chain != null
    })

  test('one that nobody visits for 30 days is not renewed, and is ordered again at its next visit', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    const [own, host] = [`lena.${domain}`, `photos.lena.${domain}`]
    await issue(own)
    await visit(host)
    await issue(host)
    const first = await rowOf(number, host)
    expect(first?.visited_at).not.toBeNull()
    expect((await rowOf(number, own))?.visited_at).toBeNull()
    const aged = { not_before: daysFrom(-61), not_after: daysFrom(29), next_try_at: daysFrom(0) }
    await set(host, { ...aged, visited_at: daysFrom(-30) })
    await set(own, aged)
    const ownBefore = await rowOf(number, own)
    await until('its cluster has a new one for its own host', async () => {
      await harness.work()
      return (await rowOf(number, own))?.chain !== ownBefore?.chain
    })
    expect((await rowOf(number, host))?.chain).toBe(first?.chain)
    // Before it ends: it serves, and the visit renews it.
    expect(await visit(host)).toBe(true)
    await until('it was renewed', async () => {
      await harness.work()
      return (await rowOf(number, host))?.chain !== first?.chain
    })
    // After its end: it is gone once the clock is believed, and the visit orders it as the first time.
    await set(host, { not_before: daysFrom(-90), not_after: daysFrom(-1), visited_at: daysFrom(-31) })
    await raiseDoubt(harness.db, 'clock', 'it jumped', harness.clock.now())
    await harness.work()
    expect((await rowOf(number, host))?.chain).not.toBeUndefined()
    await settleDoubt(harness.db, 'clock')
    await harness.work()
    expect(await rowOf(number, host)).toBeUndefined()
    await visit(host)
    await issue(host)
  })

  test('the owner removes one that a visit ordered, and no other', async () => {
    const { domain, number, userid } = await harness.link('lena', 'cname')
    const [own, host] = [`lena.${domain}`, `notes.lena.${domain}`]
    await issue(own)
    await visit(host)
    await issue(host)
    const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_none', role: 'User', ip: '192.0.2.1' } as const
    const page = { page: 1, rowsPerPage: 20 }
    expect(await harness.certificates.list(harness.db, number, page)).toMatchObject({
      rowsNumber: 2,
      certificates: [
        { names: [own], state: 'valid', isRenewed: true, visitedAt: null, actions: [] },
        { names: [host], state: 'valid', isRenewed: true, visitedAt: expect.any(String), actions: ['remove'] },
      ],
    })
    const remove = (name: string) => removeCertificate(harness.domainDeps, caller, { domain, name })
    await remove(host)
    expect((await rowsOf(number)).map(({ names }) => names)).toEqual([[own]])
    await expect(remove(own)).rejects.toMatchObject({ key: 'certificateStays' })
    // Removed once more, or never there: nothing happens.
    for (const name of [host, `nobody.${domain}`]) await remove(name)
    expect((await rowsOf(number)).map(({ names }) => names)).toEqual([[own]])
    // Its cluster still registers it.
    await visit(host)
    expect(await rowOf(number, host)).toBeDefined()
  })

  test('an account gets its share of a week, its own host first, and others under the domain get theirs', async () => {
    const { domain, number } = await harness.link('lena', 'cname')
    const hosts = ['photos', 'notes', 'mail', 'music'].map((label) => `${label}.lena.${domain}`)
    for (const host of hosts) await visit(host)
    // All at once: what each would have left to the others is counted one after the other.
    await until('as many as it gets', async () => {
      await harness.work()
      const rows = await rowsOf(number)
      return rows.filter(({ chain }) => chain !== null).length === 3
    })
    await harness.work()
    const rows = await rowsOf(number)
    expect(rows.find(({ names }) => names[0] === `lena.${domain}`)?.chain).not.toBeNull()
    const waiting = rows.filter(({ chain }) => chain === null)
    expect(waiting.map(({ problem }) => problem)).toEqual(['orderLimit', 'orderLimit'])
    // Another account with an ID under the same registered domain.
    const others = await harness.addMember('jonas', { domain, number })
    await issue(`jonas.${domain}`)
    const accounts = await harness.db
      .selectFrom('acme_orders')
      .select('account')
      .where('registrable', '=', domain.slice('cloud.'.length))
      .where('state', '=', 'issued')
      .execute()
    expect(accounts.filter(({ account }) => account === others.userid)).toHaveLength(1)
  })
})
