/** When backups run: each slot once, in the zone of the cluster, until that is gone. */
import type { BackupSchedule } from '@atoll/contract/backups'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { pauseBackup, updateBackup } from './commands/backup-change.ts'
import { runBackup } from './commands/backup-run.ts'
import { backupSweep } from './reconcile/backup-sweep.ts'
import { start, useBackupHarness } from './testing/backup-harness.ts'

const { clock, harness } = useBackupHarness()
const daily = (at: string): BackupSchedule => ({ every: 'day', at })
const newest = async (id: string) => (await harness.show(id)).newest
const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }

describe('the schedule', () => {
  /** As the sweep does each minute: what it wakes is reconciled. */
  async function tick(id: string) {
    await backupSweep(harness.deps).run({ all: false }, context)
    const jobs = await harness.deps.db.executeQuery<{ key: string }>({
      query: { kind: 'RawNode' } as never,
      queryId: { queryId: 'jobs' },
      parameters: [],
      sql: "select key from graphile_worker.jobs where task_identifier = 'backup.reconcile'",
    })
    if (jobs.rows.some(({ key }) => key === `backup.reconcile:${id}`)) await harness.reconcile(id)
  }

  test('runs each slot once, makes up for missed ones by one run, and lets a slot wait for the run before', async () => {
    const id = await harness.createDaily()
    expect((await harness.show(id)).nextAt).toMatch(/^2028-06-02T01:0/)
    await tick(id)
    expect(await harness.runs(id)).toEqual([])
    clock.set(new Date('2028-06-02T01:10:00Z'))
    await tick(id)
    await tick(id)
    expect((await harness.runs(id)).map(({ scheduledFor }) => scheduledFor)).toEqual(['2028-06-02T01:00:00.000Z'])
    await harness.complete(id)
    clock.set(new Date('2028-06-06T07:00:00Z'))
    await tick(id)
    await harness.complete(id)
    expect((await harness.runs(id)).map(({ scheduledFor }) => scheduledFor)).toEqual([
      '2028-06-06T01:00:00.000Z',
      '2028-06-02T01:00:00.000Z',
    ])
    await runBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    clock.set(new Date('2028-06-07T01:10:00Z'))
    await tick(id)
    expect((await harness.runs(id)).map(({ state }) => state)).toEqual(['Started', 'Completed', 'Completed'])
    await harness.complete(id)
    await tick(id)
    expect((await newest(id))?.scheduledFor).toBe('2028-06-07T01:00:00.000Z')
  })

  test('a clock that is set back over a slot runs it no second time', async () => {
    const id = await harness.createDaily()
    clock.set(new Date('2028-06-02T01:10:00Z'))
    await tick(id)
    await harness.complete(id)
    await harness.deps.db
      .updateTable('backups')
      .set({ slots_until: start, next_at: start })
      .where('id', '=', id)
      .execute()
    await tick(id)
    expect(await harness.runs(id)).toHaveLength(1)
  })

  test('no two backups of a cluster take one slot, nor one name', async () => {
    await harness.createDaily()
    await expect(harness.createDaily({ name: 'Photos' })).rejects.toThrow('Time slot already used')
    await expect(harness.createDaily({ schedule: daily('04:00') })).rejects.toThrow('named Everything')
    const id = await harness.createDaily({ name: 'Photos', schedule: daily('04:00') })
    await expect(
      updateBackup(harness.deps, harness.caller, { backupId: id, schedule: { every: 'hour', minute: 0 } }),
    ).rejects.toThrow('Time slot already used')
    const both = await Promise.allSettled([
      harness.createDaily({ name: 'One', schedule: daily('05:00') }),
      harness.createDaily({ name: 'Two', schedule: daily('05:00') }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('has one zone a cluster', async () => {
    const first = await harness.createDaily()
    const second = await harness.createDaily({ name: 'Photos', schedule: daily('04:00'), timeZone: 'Asia/Tokyo' })
    expect([(await harness.show(first)).timeZone, (await harness.show(second)).timeZone]).toEqual([
      'Asia/Tokyo',
      'Asia/Tokyo',
    ])
    expect((await harness.show(first)).nextAt).toMatch(/^2028-06-01T18:0/)
  })

  test('is paused and resumed, and a paused one begins nothing', async () => {
    const id = await harness.createDaily()
    await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
    clock.set(new Date('2028-06-03T01:10:00Z'))
    await tick(id)
    expect([await harness.runs(id), (await harness.show(id)).nextAt]).toEqual([[], null])
    await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: false })
    expect((await harness.show(id)).nextAt).toMatch(/^2028-06-04T01:0/)
  })

  test('ends with its cluster; what is stored stays', async () => {
    const id = await harness.createDaily()
    await harness.runNow(id)
    await runBackup(harness.deps, harness.caller, { backupId: id })
    harness.masters.length = 0
    await harness.reconcile(id)
    expect(await harness.show(id)).toMatchObject({ nextAt: null, snapshots: 1, clusterName: 'Reef' })
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: 'The cluster is gone.' })
    await expect(runBackup(harness.deps, harness.caller, { backupId: id })).rejects.toThrow(
      'cluster of this backup no longer exists',
    )
  })
})
