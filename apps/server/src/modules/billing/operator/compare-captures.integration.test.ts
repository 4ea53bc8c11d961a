import { money } from '@atoll/money'
import { beforeEach, expect, test } from 'vitest'
import { endCareful, findCareful, findHold, listEvidence, raiseStartDoubts } from '../../../platform/careful/index.ts'
import { systemClock } from '../../../platform/clock.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { checkSources } from '../../../platform/sources/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import { compareCaptures } from './compare-captures.ts'

const harness = useDatabase()
type Captures = Awaited<ReturnType<PaymentGateway['listCaptures']>>

/** A start of a worker, whose gateway answers so. */
async function start(answer: Captures): Promise<void> {
  const { db } = harness
  const gateway = { name: 'stripe', listCaptures: async () => answer } as const
  await raiseStartDoubts(db, ['gateway'], systemClock.now())
  const ask = (now: Date) => compareCaptures(db, gateway, now)
  await checkSources({ db, clock: systemClock, log: silentLog, checks: [{ source: 'gateway', ask }] })
}
const charge = () => findHold(harness.db, { waits: 'careful', source: 'gateway' })
const lost: Captures = {
  kind: 'page',
  captures: [{ paymentId: 'pay_lost', ref: 'pi_1', amount: money(2880, 'usd') } as never], // the fields that are read
  next: null,
}

beforeEach(async () => void (await harness.pool.query('truncate doubts, evidence, resumptions')))

test('charges wait while the gateway does not answer, and go on once it has taken nothing that is not known', async () => {
  await start({ kind: 'unknown', why: 'timed out' })
  expect(await charge()).toEqual({ about: 'gateway', why: 'stripe does not say what it took: timed out' })
  // Nothing else waits for it.
  expect(await findHold(harness.db, { waits: 'deadline', source: 'vault' })).toBeUndefined()
  await start({ kind: 'page', captures: [], next: null })
  expect(await charge()).toBeUndefined()
})

test('a capture that has no row makes careful, once: what the operator accepted is no evidence any more', async () => {
  await start(lost)
  expect((await findCareful(harness.db))?.why).toContain('2880 usd for pay_lost (pi_1), which is not known here')
  expect(await charge()).toMatchObject({ about: 'careful' })
  await harness.db.transaction().execute((trx) => endCareful(trx, systemClock.now()))
  await start(lost)
  expect(await charge()).toBeUndefined()
})

test('all that were lost are told, however many, and no more pages are read than it takes', async () => {
  let pages = 0
  const gateway: Pick<PaymentGateway, 'name' | 'listCaptures'> = {
    name: 'stripe',
    async listCaptures({ after }) {
      pages += 1
      const at = Number(after ?? 0)
      const captures = Array.from({ length: at < 300 ? 100 : 0 }, (_, one) => ({
        paymentId: `pay_${at + one}`,
        ref: `pi_${at + one}`,
        amount: money(100, 'usd'),
      }))
      return { kind: 'page', captures: captures as never, next: String(at + 100) } // as above
    },
  }
  await compareCaptures(harness.db, gateway, systemClock.now())
  expect(await listEvidence(harness.db)).toHaveLength(300)
  expect(pages).toBe(4)
})
