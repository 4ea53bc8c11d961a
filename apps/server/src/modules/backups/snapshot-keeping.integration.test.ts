/** Promises about a snapshot: that it stays, that it is removed, that it comes back. */
import { defaultKeepOf } from '@atoll/contract/backups'
import { describe, expect, test } from 'vitest'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from './commands/backup-change.ts'
import { proveBackup } from './commands/backup-prove.ts'
import { restoreSnapshot } from './commands/backup-run.ts'
import { forgetSnapshot, pinSnapshot, takeBackSnapshot } from './commands/snapshot-keeping.ts'
import { useBackupHarness } from './testing/backup-harness.ts'
import { getBackup, previewRetention } from './views/backup-views.ts'

const hour = 3600_000
const day = 24 * hour
const keepOne = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
const { clock, database, harness } = useBackupHarness()

const kept = async (id: string) =>
  (await harness.runs(id)).filter(({ restorable }) => restorable).map(({ snapshotId }) => snapshotId)
const shown = async (id: string, snapshotId: string) =>
  (await harness.runs(id)).find((run) => run.snapshotId === snapshotId)
const because = async (id: string, snapshotId: string) =>
  (await previewRetention(harness.deps, harness.caller.userid, { backupId: id })).keep.find(
    (each) => each.snapshotId === snapshotId,
  )?.because
const ask = (backupId: string, snapshotId: string) => ({ backupId, snapshotId })

/** After `ms` a run that completes, with reading back out of the way. */
async function runAfter(id: string, ms: number, more: Record<string, unknown> = {}): Promise<string> {
  clock.advance(ms)
  await harness.settleChores(id)
  return await harness.runNow(id, more)
}

describe('the rules', () => {
  test('forget nothing within 48 h, so the last good snapshot outlives a loss that the next hours store', async () => {
    const id = await harness.create({ keep: keepOne })
    const good = await harness.runNow(id)
    const after = [await runAfter(id, hour), await runAfter(id, hour)]
    expect(await kept(id)).toEqual([...after.reverse(), good])
    expect(await because(id, good)).toEqual(['recent'])
    clock.advance(46 * hour)
    await harness.settleChores(id)
    expect(await kept(id)).toEqual(after)
  })

  test('of a plan without any follow its schedule, and stay where the owner chose; never fewer are kept', async () => {
    const id = await harness.create({ schedule: { every: 'hour', minute: 15 }, keep: undefined })
    expect((await harness.show(id)).keep).toEqual(defaultKeepOf({ every: 'hour' }))
    const change = (schedule: Parameters<typeof updateBackup>[2]['schedule']) =>
      updateBackup(harness.deps, harness.caller, { backupId: id, schedule })
    await change({ every: 'month', at: '03:00', day: 1 })
    expect((await harness.show(id)).keep).toEqual(defaultKeepOf({ every: 'hour' }))
    await updateBackup(harness.deps, harness.caller, { backupId: id, keep: defaultKeepOf({ every: 'month' }) })
    await change({ every: 'hour', minute: 0 })
    expect((await harness.show(id)).keep).toEqual(defaultKeepOf({ every: 'hour' }))
    await updateBackup(harness.deps, harness.caller, { backupId: id, keep: keepOne })
    await change({ every: 'day', at: '04:00' })
    expect((await harness.show(id)).keep).toEqual(keepOne)
  })

  test('where the next run has no room take the oldest young one, then wait for the prune before another', async () => {
    const id = await harness.create({ keep: keepOne })
    await harness.runNow(id)
    const second = await runAfter(id, hour)
    const third = await runAfter(id, hour)
    const first = (await kept(id)).at(-1)
    harness.deps.vault.quotaOf = async () => 5000
    await pinSnapshot(harness.deps, harness.caller, { ...ask(id, first ?? ''), pinned: true })
    await harness.reconcile(id)
    expect((await getBackup(harness.deps, harness.caller.userid, id, 'en-US')).shortOfRoom).toBe(true)
    expect(await kept(id), 'the oldest is pinned, the newest stays').toEqual([third, first])
    expect((await shown(id, second))?.actions).toEqual(['takeBack'])
    clock.advance(hour)
    const fourth = await harness.runNow(id)
    expect(await kept(id), 'nothing more before that is pruned').toEqual([fourth, third, first])
    harness.agents.end(harness.agents.newest('backup.prune'), { outcome: 'done', durationMs: 5 })
    await harness.reconcile(id)
    expect(await kept(id)).toEqual([fourth, first])
    harness.deps.vault.quotaOf = async () => 5e9
    await runAfter(id, hour)
    expect(await kept(id), 'with room everything young stays again').toHaveLength(3)
  })
})

test('the snapshot that is taken before files are replaced is pinned for 30 days', async () => {
  const id = await harness.create({ keep: keepOne })
  const good = await harness.runNow(id)
  await restoreSnapshot(harness.deps, harness.caller, { ...ask(id, good), way: 'replace' })
  await harness.complete(id)
  const safety = (await kept(id))[0] ?? ''
  harness.agents.end(harness.agents.newest('backup.restore'), {
    outcome: 'done',
    files: 1,
    bytes: 1,
    durationMs: 1,
    folder: null,
  })
  await harness.reconcile(id)
  for (let week = 1; week <= 4; week += 1) await runAfter(id, 7 * day)
  expect(await because(id, safety)).toEqual(['pinned'])
  await runAfter(id, 7 * day)
  expect(await kept(id)).not.toContain(safety)
})

describe('an owner', () => {
  test('pins, and unpins; forgets a pinned one only by the name of its backup', async () => {
    const id = await harness.create({ keep: keepOne })
    const first = await harness.runNow(id)
    await pinSnapshot(harness.deps, harness.caller, { ...ask(id, first), pinned: true })
    await runAfter(id, 3 * day)
    expect(await shown(id, first)).toMatchObject({ pin: { until: null }, actions: ['unpin', 'forget'] })
    await expect(forgetSnapshot(harness.deps, harness.caller, ask(id, first))).rejects.toThrow(/is pinned.*Everything/)
    await expect(forgetSnapshot(harness.deps, harness.caller, { ...ask(id, first), name: 'every' })).rejects.toThrow(
      /pinned/,
    )
    const { until } = await forgetSnapshot(harness.deps, harness.caller, { ...ask(id, first), name: 'Everything' })
    expect(Date.parse(until)).toBe(clock.now().getTime() + 14 * day)
    expect(await shown(id, first)).toMatchObject({ forgotten: { until }, actions: ['takeBack'], restorable: false })
    await expect(forgetSnapshot(harness.deps, harness.caller, ask(id, first))).rejects.toThrow('that still exist')
    await takeBackSnapshot(harness.deps, harness.caller, ask(id, first))
    expect(await shown(id, first), 'its own pin stays').toMatchObject({ pin: { until: null }, forgotten: null })
    await pinSnapshot(harness.deps, harness.caller, { ...ask(id, first), pinned: false })
    await harness.reconcile(id)
    expect(await kept(id)).not.toContain(first)
    await expect(pinSnapshot(harness.deps, harness.caller, { ...ask(id, first), pinned: true })).rejects.toThrow(
      'that still exist',
    )
  })

  test('takes back what the rules removed, too, and has it for 30 days', async () => {
    const id = await harness.create({ keep: keepOne })
    const first = await harness.runNow(id)
    const second = await runAfter(id, 3 * day)
    expect(await kept(id)).toEqual([second])
    await takeBackSnapshot(harness.deps, harness.caller, ask(id, first))
    await harness.reconcile(id)
    expect(await kept(id)).toEqual([second, first])
    await expect(takeBackSnapshot(harness.deps, harness.caller, ask(id, first))).rejects.toThrow('was not deleted')
    await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
    // The second one is proved by then, too.
    clock.advance(35 * day)
    for (let pass = 0; pass < 2; pass += 1) await harness.settleChores(id)
    expect(await kept(id)).toEqual([second])
  })

  test('forgets while the machine is away and while an alarm holds the rules, but nothing that is being restored', async () => {
    const id = await harness.create()
    const [first, second] = [await harness.runNow(id), await runAfter(id, hour)]
    harness.agents.agent.connected = false
    await restoreSnapshot(harness.deps, harness.caller, { ...ask(id, first), way: 'newFolder' })
    await expect(forgetSnapshot(harness.deps, harness.caller, ask(id, first))).rejects.toThrow(
      'being restored or verified',
    )
    const alarm = { alarm: 'shrink', alarm_at: clock.now(), alarm_snapshot_id: second } as const
    await database.db.updateTable('backups').set(alarm).where('id', '=', id).execute()
    const held = harness.held.length
    await forgetSnapshot(harness.deps, harness.caller, ask(id, second))
    expect([await kept(id), harness.held.slice(held)]).toEqual([[first], [400]])
  })

  test('ends a reading in whose middle a snapshot would go; the proof that was asked for begins again', async () => {
    const id = await harness.create()
    const first = await harness.runNow(id)
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    const reading = harness.agents.newest('backup.check')
    await forgetSnapshot(harness.deps, harness.caller, ask(id, first))
    expect(reading.isCancelAsked).toBe(true)
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.check').id).not.toBe(reading.id)
    expect((await harness.show(id)).proof).toMatchObject({ state: 'reading', damage: null })
  })

  test('makes room in a plan that was lowered: what was forgotten is pruned at once, not in a week', async () => {
    const id = await harness.create({ keep: { ...keepOne, last: 5 } })
    const [first] = [await harness.runNow(id), await runAfter(id, hour), await runAfter(id, hour)]
    const prunes = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
    await forgetSnapshot(harness.deps, harness.caller, ask(id, first))
    await harness.reconcile(id)
    expect(prunes(), 'with room it has a week').toEqual([])
    harness.deps.vault.quotaOf = async () => 1000
    await harness.reconcile(id)
    expect(prunes()).toHaveLength(1)
    clock.advance(1000)
    await harness.settleChores(id)
    await harness.reconcile(id)
    expect(prunes(), 'and once').toHaveLength(1)
  })

  test('is told the nearer time where trash passes the quota or the disk, of a snapshot and of a whole backup', async () => {
    const id = await harness.create()
    const [first, second] = [await harness.runNow(id), await runAfter(id, hour)]
    harness.deps.vault.quotaOf = async () => 700
    const now = () => clock.now().getTime()
    await forgetSnapshot(harness.deps, harness.caller, ask(id, first))
    expect(Date.parse((await shown(id, first))?.forgotten?.until ?? '') - now()).toBe(14 * day)
    const { isAtReserve } = harness.deps.vault
    harness.deps.vault.isAtReserve = async () => true
    expect(Date.parse((await shown(id, first))?.forgotten?.until ?? '') - now(), 'the disk is full').toBe(day)
    harness.deps.vault.isAtReserve = isAtReserve
    clock.advance(hour)
    const { until } = await forgetSnapshot(harness.deps, harness.caller, ask(id, second))
    expect(Date.parse(until) - now(), 'what is newer has room').toBe(14 * day)
    expect(Date.parse((await shown(id, first))?.forgotten?.until ?? '') - now()).toBe(23 * hour)
    await harness.insertFile(id, { type: 'data', name: 'cd'.repeat(32), bytes: 900 })
    const { deletedAt } = await deleteBackup(harness.deps, harness.caller, { backupId: id })
    expect(Date.parse(deletedAt) - now()).toBe(day)
    expect((await harness.show(id)).deletedAt).toBe(deletedAt)
  })

  test('does not take back what is no longer whole: one file that is gone is enough', async () => {
    const { db } = database
    const id = await harness.create()
    const first = await harness.runNow(id)
    await harness.insertFile(id, { type: 'data', name: 'cd'.repeat(32), bytes: 900 })
    await deleteBackup(harness.deps, harness.caller, { backupId: id })
    // As the sweep leaves nothing of a file, not even a row.
    await db.deleteFrom('vault_files').where('name', '=', 'cd'.repeat(32)).execute()
    await expect(undeleteBackup(harness.deps, harness.caller, { backupId: id })).rejects.toThrow('removed already')
    const other = await harness.createDaily({ name: 'Other' })
    const lost = await harness.runNow(other)
    await forgetSnapshot(harness.deps, harness.caller, ask(other, lost))
    await db.updateTable('vault_files').set({ removing_at: clock.now() }).where('trashed_by', '=', 'owner').execute()
    await expect(takeBackSnapshot(harness.deps, harness.caller, ask(other, lost))).rejects.toThrow('removed already')
    expect(await shown(other, lost)).toMatchObject({ forgotten: { until: null }, actions: [] })
    expect(first).not.toBe(lost)
  })
})
