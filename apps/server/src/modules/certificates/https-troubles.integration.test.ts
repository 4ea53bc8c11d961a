/** Failed certificates: when they are retried, who is told, and how a moving domain is served (Pebble issues). */
import { until, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { changeMethod, checkDomain, retryHttps } from '../domains/claims/domain-service.ts'
import { certificateMails } from './lifecycle/mails.ts'
import { createHttpsHarness, type HttpsHarness } from './testing/https-harness.ts'

const missing = whyNoDnsPrograms()
const day = 24 * 60 * 60_000

describe.skipIf(missing !== undefined)(`HTTPS troubles${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let harness: HttpsHarness
  beforeAll(async () => {
    harness = await createHttpsHarness()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const callerOf = ({ userid }: { userid: string }) =>
    ({ userid, did: 'did:key:zTest', sessionId: 'ss_none', role: 'User', ip: '192.0.2.1' }) as const
  const describeOf = (number: number) => harness.certificates.describe(harness.db, number)
  const rowsOf = (number: number) =>
    harness.db
      .selectFrom('certificates')
      .select(['names', 'challenge', 'wanted', 'chain', 'next_try_at'])
      .where('domain', '=', number)
      .orderBy('names')
      .execute()
  async function issued(number: number): Promise<void> {
    await until(`certificates of ${number}`, async () => {
      await harness.work()
      return (await rowsOf(number)).every(({ wanted, chain }) => !wanted || chain !== null)
    })
  }

  test.each([
    ['Check now', checkDomain],
    ['Try again', retryHttps],
  ])('a CAA record that was mended counts at once after %s', async (_, act) => {
    harness.forbid(true)
    const linked = await harness.link('lena', 'cname')
    await harness.work()
    expect(await describeOf(linked.number)).toMatchObject({
      state: 'waiting',
      problem: { key: 'caaForbids', fault: 'owner' },
      actions: ['retry'],
    })
    harness.forbid(false)
    // It waits for its time.
    await harness.work()
    expect((await describeOf(linked.number)).problem).not.toBeNull()
    await act(harness.domainDeps, callerOf(linked), linked.domain)
    await issued(linked.number)
    expect(await describeOf(linked.number)).toMatchObject({ state: 'valid', problem: null, actions: [] })
  })

  test('a certificate that waits for a limit of the authority is not tried sooner, even when its owner asks', async () => {
    const linked = await harness.link('lena', 'cname')
    const later = new Date(harness.clock.now().getTime() + day)
    const limited = { problem: 'caLimited', problem_since: harness.clock.now(), next_try_at: later } as const
    await harness.db.updateTable('certificates').set(limited).where('domain', '=', linked.number).execute()
    expect(await retryHttps(harness.domainDeps, callerOf(linked), linked.domain)).toMatchObject({ actions: [] })
    expect((await rowsOf(linked.number))[0]?.next_try_at).toEqual(later)
  })

  test('the owner has one mail after three days of failure and one near the end, until it is issued again', async () => {
    const linked = await harness.link('lena', 'cname')
    await issued(linked.number)
    const { userid, domain, number } = linked
    const now = harness.clock.now()
    const since = new Date(now.getTime() - 3 * day)
    const failing = { problem: 'caaForbids', problem_fault: 'owner', problem_since: since } as const
    const ending = { not_before: new Date(now.getTime() - 75 * day), not_after: new Date(now.getTime() + 15 * day) }
    await harness.db
      .updateTable('certificates')
      .set({ ...failing, ...ending, next_try_at: now })
      .where('domain', '=', number)
      .execute()
    harness.news.length = 0
    const mails = certificateMails(harness.certificateDeps)
    const mail = () => mails.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    await Promise.all([mail(), mail()])
    await mail()
    const about = { domain, names: [`lena.${domain}`], more: 0, fault: 'owner' }
    expect(harness.news.filter((one) => one.domain === domain)).toEqual([
      { event: 'httpsEnding', ...about, until: ending.not_after.toISOString() },
      { event: 'httpsFailing', ...about, since: since.toISOString() },
    ])
    await retryHttps(harness.domainDeps, callerOf({ userid }), domain)
    await until('renewed', async () => {
      await harness.work()
      return (await describeOf(number)).problem === null
    })
    const row = harness.db.selectFrom('certificates').select(['failing_mailed_at', 'ending_mailed_at'])
    expect(await row.where('domain', '=', number).execute()).toEqual([
      { failing_mailed_at: null, ending_mailed_at: null },
    ])
  })

  test('from delegation to CNAME the old certificates serve and are renewed until the new one does', async () => {
    const linked = await harness.link('lena', 'ns')
    const { domain, number } = linked
    await issued(number)
    harness.forbid(true)
    await changeMethod(harness.domainDeps, callerOf(linked), { domain, method: 'cname' })
    await harness.work()
    const old = async () => (await rowsOf(number)).filter(({ challenge }) => challenge === 'dns-01')
    const before = await old()
    expect(before.map(({ wanted }) => wanted)).toEqual([true, true])
    expect(await describeOf(number)).toMatchObject({ state: 'valid', problem: { key: 'caaForbids' } })
    const now = harness.clock.now()
    const aged = { not_before: new Date(now.getTime() - 61 * day), not_after: new Date(now.getTime() + 29 * day) }
    await harness.db
      .updateTable('certificates')
      .set({ ...aged, next_try_at: now })
      .where('domain', '=', number)
      .where('challenge', '=', 'dns-01')
      .execute()
    await until('the old ones are renewed', async () => {
      await harness.work()
      return (await old()).every(({ chain }, index) => chain !== before[index]?.chain)
    })
    harness.forbid(false)
    await retryHttps(harness.domainDeps, callerOf(linked), domain)
    await issued(number)
    // No new ones are wanted of the former way; they serve the apps of the cluster until they end.
    expect((await old()).map(({ wanted }) => wanted)).toEqual([false, false])
    expect(await harness.open(`photos.lena.${domain}`)).toEqual({ host: `photos.lena.${domain}`, scheme: 'https' })
  })

  test('from CNAME to delegation nothing is ordered before the delegation is seen, and the old one is kept', async () => {
    const linked = await harness.link('lena', 'cname')
    const { domain, number } = linked
    await issued(number)
    await changeMethod(harness.domainDeps, callerOf(linked), { domain, method: 'ns' })
    await harness.work()
    const orders = () => harness.db.selectFrom('acme_orders').select('id').where('state', '=', 'open').execute()
    expect(await orders()).toEqual([])
    expect((await rowsOf(number)).map(({ names, wanted, chain }) => [names[0], wanted, chain !== null])).toEqual([
      [`*.lena.${domain}`, true, false],
      [domain, true, false],
      [`lena.${domain}`, true, true],
    ])
    expect((await describeOf(number)).state).toBe('valid')
    // As the job writes when it sees the delegation.
    await harness.db
      .updateTable('domains')
      .set({ problem: null, problem_since: null })
      .where('number', '=', number)
      .execute()
    await issued(number)
    expect((await rowsOf(number)).map(({ names, wanted }) => [names[0], wanted])).toEqual([
      [`*.lena.${domain}`, true],
      [domain, true],
      [`lena.${domain}`, false],
    ])
  })
})
