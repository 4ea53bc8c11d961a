/** Effects of bills on workers, and of overdue bills: suspended, settled and given up on. */
import { describe, expect, test, vi } from 'vitest'
import { requestAction } from '../../commands/cluster-actions.ts'
import { cancelWaiting } from '../../commands/machines/instance-removal.ts'
import { addWorkers } from '../../commands/orders/worker-add.ts'
import { price, refusalOf, useBilledHarness } from '../../testing/billed-harness.ts'
import { callerOf } from '../../testing/cluster-harness.ts'
import { findActiveCluster } from '../../views/active-clusters.ts'

const { bills, harness } = useBilledHarness()

describe('a worker that costs', () => {
  test('waits to be paid, is canceled or made, and only its owner orders one', async () => {
    const clusterId = await bills.running()
    const admin = callerOf(await harness.newOwner(), 'Admin')
    const asked = { clusterId, offering: 'bay', quantity: 1 }
    expect(await refusalOf(addWorkers(harness.deps, admin, asked))).toBe('ownerOnly')
    const withCoupon = { ...asked, offering: 'small', couponCode: 'REEF10' }
    expect(await refusalOf(addWorkers(harness.deps, admin, withCoupon))).toBe('ownerOnly')
    expect(await refusalOf(addWorkers(harness.deps, bills.caller(), withCoupon))).toBe('couponGone')
    const first = await bills.addWorker(clusterId)
    expect(first).toMatchObject({ status: 'unpaid', paid: false, amount: price })
    await harness.settle(clusterId)
    expect(await bills.statuses(clusterId)).toEqual(['running', 'unpaid'])
    await cancelWaiting(harness.deps, bills.caller(), { instanceId: first.instanceId })
    expect(await bills.statuses(clusterId)).toEqual(['running', 'canceled'])
    const second = await bills.addWorker(clusterId)
    await bills.pay(second.invoiceId)
    await harness.settle(clusterId)
    expect(await bills.statuses(clusterId)).toEqual(['running', 'canceled', 'running'])
    expect((await harness.rows(clusterId)).operations).toContainEqual(
      expect.objectContaining({ kind: 'addWorker', state: 'done' }),
    )
  })

  test('does not keep its cluster from going, whether somebody destroys that or nobody pays for it', async () => {
    const owed = await bills.running()
    await bills.addWorker(owed)
    await harness.database.pool.query(
      `update subscription_items set state = 'ended', ended_at = $2 where instance_id = (select id from instances
        where cluster_id = $1 and role = 'master')`,
      [owed, bills.clock.now()],
    )
    expect(await harness.settle(owed)).toMatchObject({ status: 'destroyed' })
    expect(await bills.statuses(owed)).toEqual(['destroyed', 'canceled'])
    const clusterId = await bills.running()
    await bills.addWorker(clusterId)
    await requestAction(harness.deps, bills.caller(), {
      call: 'destroyMaster',
      action: 'destroyMaster',
      body: { clusterId },
    })
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(await bills.statuses(clusterId)).toEqual(['destroyed', 'canceled'])
    expect(bills.instances.size).toBe(0)
  })
})

const startOf = (clusterId: string) => ({ call: 'start', action: 'start', body: { clusterId } }) as const

describe('a bill that is owed for too long', () => {
  test('stops the cluster with its workers and keeps what is theirs; settled, all of it boots again', async () => {
    const clusterId = await bills.running()
    const { invoiceId } = await bills.addWorker(clusterId)
    await bills.pay(invoiceId)
    await harness.settle(clusterId)
    const boots = [...bills.instances.values()].map((instance) => instance.boots)
    await bills.stand(clusterId, 'past_due')
    await harness.settle(clusterId)
    expect(await bills.statuses(clusterId)).toEqual(['waiting_destroy', 'waiting_destroy'])
    expect([...bills.instances.values()].map(({ state }) => state)).toEqual(['stopped', 'stopped'])
    const start = requestAction(harness.deps, bills.caller(), { call: 'start', action: 'start', body: { clusterId } })
    expect(await refusalOf(start)).toBe('actionRefused')

    await bills.stand(clusterId, 'active')
    await harness.settle(clusterId)
    expect(await bills.statuses(clusterId)).toEqual(['running', 'running'])
    // The very machines, and with them their files.
    expect([...bills.instances.values()].map(({ state }) => state)).toEqual(['running', 'running'])
    expect([...bills.instances.values()].map((instance) => instance.boots)).toEqual(boots.map((count) => count + 1))
    expect((await harness.rows(clusterId)).operations).toContainEqual(
      expect.objectContaining({ kind: 'start', state: 'done', asked_by: null }),
    )
    // Once for the cluster, whatever number of instances it has.
    expect(await bills.audited(['cluster.suspend', 'cluster.resume'])).toEqual([
      ['cluster.suspend', null],
      ['cluster.resume', null],
    ])
  })

  test('lets its backup come back meanwhile; settled beside that, it stays stopped until its owner may start it', async () => {
    await harness.database.pool.query('update accounts set vcpu_quota = 8')
    const [owed, next] = [await bills.running(), await bills.running()]
    const { invoiceId } = await bills.addWorker(owed)
    await bills.pay(invoiceId)
    await harness.settle(owed)
    await harness.database.pool.query(`update instances set os_active = true where role = 'master'`)
    const family = vi.spyOn(harness.deps.restores, 'listKin')
    try {
      family.mockImplementation(async (_, { clusterId }) => [owed, next].filter((id) => id !== clusterId))
      expect(await findActiveCluster(harness.db, [owed])).toBeDefined()
      await bills.stand(owed, 'past_due')
      await harness.settle(owed)
      expect(await findActiveCluster(harness.db, [owed])).toBeUndefined()
      await bills.stand(owed, 'active')
      expect(await harness.settle(owed)).toMatchObject({ status: 'stopped' })
      expect((await harness.rows(owed)).cluster.desired).toBe('stopped')
      expect(await bills.statuses(owed)).toEqual(['stopped', 'stopped'])
      expect(await bills.statuses(next)).toEqual(['running'])
      const start = () => requestAction(harness.deps, bills.caller(), startOf(owed))
      expect(await refusalOf(start())).toBe('rivalActive')
      family.mockImplementation(async () => [])
      await start()
      expect(await harness.settle(owed)).toMatchObject({ status: 'running' })
    } finally {
      family.mockRestore()
    }
  })

  test('leaves what was stopped stopped when it is settled', async () => {
    const clusterId = await bills.running()
    const body = { clusterId }
    await requestAction(harness.deps, bills.caller(), { call: 'stop', action: 'stop', body })
    await harness.settle(clusterId)
    await bills.stand(clusterId, 'past_due')
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'waiting_destroy' })
    await bills.stand(clusterId, 'active')
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'stopped' })
  })

  test('destroys the cluster when its grace is over, or when its owner would rather have it gone', async () => {
    const given = await bills.running()
    await bills.stand(given, 'past_due')
    await harness.settle(given)
    await bills.stand(given, 'ended')
    expect(await harness.settle(given)).toMatchObject({ status: 'destroyed' })
    const { cluster, operations } = await harness.rows(given)
    expect(cluster).toMatchObject({ desired: 'destroyed', observed_generation: cluster.generation })
    expect(operations).toContainEqual(expect.objectContaining({ kind: 'destroy', state: 'done', asked_by: null }))
    expect(await bills.audited(['cluster.giveUp'])).toEqual([['cluster.giveUp', null]])

    const left = await bills.running()
    await bills.stand(left, 'past_due')
    await harness.settle(left)
    const body = { clusterId: left }
    await requestAction(harness.deps, bills.caller(), { call: 'destroyMaster', action: 'destroyMaster', body })
    expect(await harness.settle(left)).toMatchObject({ status: 'destroyed' })
    expect(bills.instances.size).toBe(0)
  })

  test('ends what was sold of each machine, and gives back what one of them was paid for beyond that', async () => {
    const clusterId = await bills.running()
    const day = async (date: string) => {
      bills.clock.set(new Date(`2027-${date}T00:00:00Z`))
      const job = harness.billing.jobs.find(({ name }) => name === 'billing.account')
      await job?.run({ userid: bills.owner }, harness.jobContext())
      await harness.settle(clusterId)
    }
    await day('04-01')
    await bills.credit(price)
    expect(await bills.addWorker(clusterId)).toMatchObject({ amount: price, paid: true })
    await harness.settle(clusterId)
    for (const date of ['04-02', '04-04', '04-06']) await day(date)
    expect(await bills.statuses(clusterId)).toEqual(['waiting_destroy', 'waiting_destroy'])
    await day('04-20')
    expect(await bills.statuses(clusterId)).toEqual(['destroyed', 'destroyed'])
    const items = await harness.db
      .selectFrom('subscription_items')
      .select('state')
      .where('userid', '=', bills.owner)
      .execute()
    expect(items).toEqual([{ state: 'ended' }, { state: 'ended' }])
    // 25 of the 30 days that the worker was paid for: it ran for 5. They pay what the master ran in its own 5, too.
    expect(await bills.cashOf()).toBe(-960)
  })
})
