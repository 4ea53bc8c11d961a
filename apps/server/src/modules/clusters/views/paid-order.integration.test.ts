/** The page of a paid order shows its invoice and how long an install takes. */
import { createCluster, installTime } from '@atoll/contract/clusters'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'
import { useBilledHarness } from '../testing/billed-harness.ts'
import { type CalledHarness, openCalledHarness } from '../testing/called-harness.ts'
import { testOrder } from '../testing/cluster-harness.ts'
import { getOrder } from './cluster-service.ts'

describe('the invoice of a cluster', () => {
  const { bills, harness } = useBilledHarness()
  const invoiceOf = async (clusterId: string, userid: string, role: 'User' | 'Admin' = 'User') =>
    (await getOrder(harness.deps, { userid, role }, clusterId)).invoiceId

  test('is the one it was ordered by, also after workers, and for its owner alone', async () => {
    await bills.credit(100_000)
    await harness.db.updateTable('accounts').set({ vcpu_quota: 8 }).where('account_id', '=', bills.owner).execute()
    const { clusterId, invoiceId } = await orderCluster(harness.deps, bills.caller(), { ...testOrder, offering: 'bay' })
    expect(invoiceId).toMatch(/^inv_/)
    expect(await invoiceOf(clusterId, bills.owner)).toBe(invoiceId)
    await harness.settle(clusterId)
    const workers = { clusterId, offering: 'bay', quantity: 1 }
    expect((await addWorkers(harness.deps, bills.caller(), workers)).invoiceId).not.toBe(invoiceId)
    expect(await invoiceOf(clusterId, bills.owner)).toBe(invoiceId)
    expect(await invoiceOf(clusterId, 'did:someone', 'Admin')).toBeNull()
    await expect(invoiceOf(clusterId, 'did:someone')).rejects.toMatchObject({ key: 'notFound' })
  })
})

describe('the time of an install', () => {
  let called: CalledHarness
  beforeAll(async () => {
    called = await openCalledHarness()
  })
  afterAll(() => called[Symbol.asyncDispose]())

  test('is the median of those of its size that ended, and unknown without any', async () => {
    const { db } = called.harness
    const api = await called.signIn('stopwatch')
    const size = { cloudName: testOrder.cloudName, offering: testOrder.offering }
    expect(await api.ask(installTime, size)).toEqual({ seconds: null })
    for (const seconds of [100, 900, 200]) {
      const { clusterId } = await (await called.signIn()).ask(createCluster, testOrder)
      const began = new Date(Date.now() - 3_600_000)
      await db
        .updateTable('operations')
        .set({ state: 'done', started_at: began, ended_at: new Date(began.getTime() + seconds * 1000) })
        .where('cluster_id', '=', clusterId)
        .execute()
    }
    expect(await api.ask(installTime, size)).toEqual({ seconds: 200 })
    expect(await api.ask(installTime, { ...size, offering: 'big' })).toEqual({ seconds: null })
  })
})
