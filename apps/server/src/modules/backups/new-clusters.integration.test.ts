/** Restores on clusters that are made for them, with agents whose tasks the test ends. */
import { taskKinds } from '@atoll/contract/agents'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { openDesk } from '../billing/testing/billing-desk.ts'
import { createVault, listBadFiles, listSnapshotFiles, scrubLeft, usageOf } from '../vault/index.ts'
import type { BackupDeps } from './backups-deps.ts'
import { deleteBackup } from './commands/backup-change.ts'
import { createBackup } from './commands/backup-create.ts'
import { unlockBackup } from './commands/backup-run.ts'
import { clusterRestores } from './commands/cluster-restore.ts'
import { backupReconcile } from './reconcile/backup-reconcile.ts'
import { noDrillClusters } from './testing/no-drill-clusters.ts'
import { type ScriptedAgents, scriptAgents } from './testing/scripted-agents.ts'
import { previewRetention } from './views/backup-views.ts'
import { getRestoring, getSnapshot } from './views/cluster-restore-views.ts'

const box = 'e30..AAAA.AAAA.AAAA'
const resticId = 'a'.repeat(64)
const clock = createTestClock(new Date('2028-06-01T12:00:00Z'))
const database = useDatabase()
let deps: BackupDeps
let agents: ScriptedAgents
let caller: Caller
let backupId: string
let clusterId: string
let masters: { clusterId: string; clusterName: string; instanceId: string }[]
let woken: string[]
let isActive: boolean
let snapshotId: string
/** The cluster that was backed up. */
let gone: string

/** A backup with one snapshot whose cluster is gone; another cluster, `clusterId`, has just been ordered. */
beforeEach(async () => {
  const desk = await openDesk(database, { clock })
  gone = await desk.insertCluster()
  clusterId = await desk.insertCluster()
  caller = { userid: desk.userid, sessionId: 'ss_aaaaaaaa', role: 'User', ip: '127.0.0.1' }
  agents = scriptAgents('in_newmaster0', () => clock.now())
  masters = [{ clusterId: gone, clusterName: 'Reef', instanceId: 'in_oldmaster0' }]
  woken = []
  isActive = false
  const { db } = database
  deps = {
    ...{
      db,
      clock,
      config: { vaultRuns: 10, product: 'Atoll' },
      agents: agents.face,
      listSnapshotFiles,
      usageOf,
      listBadFiles,
      scrubLeft,
    },
    mail: { post: async () => 'ml_none' },
    onHeld: async () => undefined, // what is held is metered elsewhere
    vault: createVault({
      ...{ db, clock, log: silentLog, readQuota: async () => null, onDamaged: async () => undefined },
      config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1:4803', vaultDir: '/nowhere' },
    }),
    listOwnMasters: async (_, owner) => (owner === desk.userid ? masters : []),
    proveMaster: async (_, { instanceId }) => masters.find((master) => master.instanceId === instanceId),
    listClusterNames: async (_, ids) => ids.map((id) => ({ clusterId: id, clusterName: 'Reef' })),
    lockAccount: (trx, userid) =>
      trx.selectFrom('accounts').select('userid').where('userid', '=', userid).forNoKeyUpdate().execute(),
    quotaOf: async () => 5e9,
    cloudStore: undefined,
    ...noDrillClusters,
    hasActiveCluster: async () => isActive,
    wakeCluster: async (_, id) => void woken.push(id),
  }
  const made = await createBackup(deps, caller, {
    ...{ clusterId: gone, name: 'Everything', paths: ['/'], schedule: { every: 'day', at: '03:00' } },
    ...{ timeZone: 'Europe/Berlin', box, runNow: true },
    keep: { last: 2, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
  })
  backupId = made.backupId
  const at = clock.now()
  const { id } = await db
    .updateTable('snapshots')
    .set({
      ...{ state: 'Completed', restic_id: resticId, received_at: at, size: 6e9, files: 3 },
      ...{ started_at: new Date(at.getTime() - 60_000), ended_at: at },
    })
    .where('backup_id', '=', backupId)
    .returning('id')
    .executeTakeFirstOrThrow()
  snapshotId = id
  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newmaster0' }]
})

const restores = () => clusterRestores(deps)
const begin = (more: { snapshotId?: string; backupId?: string; diskMiB?: number } = {}) =>
  deps.db.transaction().execute((trx) =>
    restores().begin(trx, caller, {
      ...{ clusterId, backupId: more.backupId ?? backupId, snapshotId: more.snapshotId },
      offering: { name: 'bay', diskMiB: more.diskMiB ?? 40_000 },
    }),
  )
const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
const reconcile = () => backupReconcile(deps).run({ id: backupId }, context)
const stateOf = async (id: string) => (await restores().list(deps.db, [id]))[0]
const shown = async () => (await getRestoring(deps, caller.userid, clusterId, 'en-US')).restoring
const unlock = () => unlockBackup(deps, caller, { backupId, clusterId, box })
const fail = (failure: string) =>
  agents.end(agents.newest('backup.restore'), { outcome: 'failed', failure, text: 'in restic’s words' })

test('waits for its password, asks again for a wrong one, and ends with the files there', async () => {
  const id = await begin()
  await reconcile()
  expect(agents.tasks.size, 'nothing is asked of the machine before').toBe(0)
  expect(await shown()).toMatchObject({
    ...{ backupName: 'Everything', size: 6e9, refused: false, key: agents.agent.backups?.key },
    restore: { state: 'Pending', needsPassword: true, reason: 'Waits for the backup password.' },
  })

  await unlock()
  await reconcile()
  const first = agents.newest('backup.restore')
  expect(taskKinds['backup.restore'].params.parse(first.params)).toMatchObject({
    ...{ snapshotId: resticId, backupId, box, target: { way: 'newCluster' } },
  })
  expect(first.instanceId).toBe('in_newmaster0')
  woken = []
  fail('wrong_password')
  await reconcile()
  expect(woken).toContain(clusterId)
  expect(await stateOf(id)).toEqual({ id, state: 'refused', reason: { key: 'backupPasswordWrong' } })
  expect(await shown()).toMatchObject({
    ...{ refused: true, restore: { reason: 'Backup password incorrect, please re-enter.', needsPassword: true } },
  })
  const kept = await deps.db.selectFrom('restores').select('box').where('id', '=', id).executeTakeFirstOrThrow()
  expect(kept.box, 'what opened nothing is not kept').toBeNull()
  await reconcile()
  expect(agents.tasks.size, 'nothing is tried without another one').toBe(1)

  await unlock()
  expect(await stateOf(id)).toEqual({ id, state: 'open', reason: null })
  await reconcile()
  expect(agents.tasks.size).toBe(2)
  agents.end(agents.newest('backup.restore'), { outcome: 'done', files: 3, bytes: 6e9, durationMs: 5, folder: null })
  await reconcile()
  expect(await stateOf(id)).toEqual({ id, state: 'done', reason: null })
  const row = await deps.db.selectFrom('restores').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ box: null, files: 3, target_cluster_id: clusterId })
  const backup = await deps.db.selectFrom('backups').selectAll().where('id', '=', backupId).executeTakeFirstOrThrow()
  expect(backup.password, 'that of its own machine is another matter').toBe('given')
  await expect(unlock(), 'nobody waits for one').rejects.toThrow(/There is no such/)
})

test('says what stands in its way, and goes on when that is gone', async () => {
  isActive = true
  const id = await begin()
  await unlock()
  await reconcile()
  expect((await shown())?.restore.reason).toBe(
    'You need to first disable the existing Atoll that adopts the current Atoll ID before you can restore a new Atoll with the backup data.',
  )
  expect((await getSnapshot(deps, caller.userid, snapshotId, 'en-US')).refusal).toMatch(/^You need to first disable/)
  isActive = false
  agents.agent.connected = false
  await reconcile()
  expect((await shown())?.restore.reason).toBe('Waits for the machine, which is not connected.')
  agents.agent.connected = true
  await reconcile()
  expect(agents.tasks.size).toBe(1)
  fail('damaged')
  await reconcile()
  expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: { key: 'backupDamaged' } })

  // Asked for again by the owner: the machine knows the password by now, since it opened the repository.
  const again = await deps.db.transaction().execute((trx) => restores().again(trx, id))
  expect(again).not.toBe(id)
  expect(await deps.db.transaction().execute((trx) => restores().again(trx, again))).toBe(again)
  await reconcile()
  expect(agents.tasks.size).toBe(2)
  expect(agents.newest('backup.restore').params).not.toHaveProperty('box')
  fail('no_password')
  await reconcile()
  expect(await stateOf(again)).toMatchObject({ state: 'open' })
  expect((await shown())?.restore).toMatchObject({ needsPassword: true, reason: 'Waits for the backup password.' })
})

test('that waits for its password keeps its snapshot and nothing else; while it reads nothing is removed', async () => {
  const { db } = deps
  const taken = async (number: number) => {
    clock.set(new Date(clock.now().getTime() + 3600_000))
    const at = clock.now()
    const id = `sn_later0000${number}`
    const { owner, kind, paths } = await db
      .selectFrom('snapshots')
      .selectAll()
      .where('id', '=', snapshotId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('snapshots')
      .values({
        ...{ id, backup_id: backupId, owner, kind, paths: JSON.stringify(paths), created_at: at, received_at: at },
        ...{ state: 'Completed', restic_id: String(number).repeat(64), started_at: at, ended_at: at },
      })
      .execute()
    return id
  }
  const [second] = [await taken(2), await taken(3), await taken(4)]
  await begin({ snapshotId })
  const preview = await previewRetention(deps, caller.userid, { backupId })
  expect(preview.keep.find((each) => each.snapshotId === snapshotId)?.because).toEqual(['restoring'])
  expect(preview.remove.map((each) => each.snapshotId)).toEqual([second])
  // The old machine is back, and has the password.
  masters = [...masters, { clusterId: gone, clusterName: 'Reef', instanceId: 'in_newmaster0' }]
  await db
    .updateTable('backups')
    .set({ box: null, password: 'kept', has_repository: true })
    .where('id', '=', backupId)
    .execute()
  await unlock()
  await reconcile()
  expect([...agents.tasks.values()].map(({ kind }) => kind)).toEqual(['backup.restore'])
  fail('wrong_password')
  await reconcile()
  expect(agents.newest('backup.forget').params).toMatchObject({ snapshots: ['2'.repeat(64)] })
})

test('ends with its cluster, and with its backup', async () => {
  const first = await begin()
  await unlock()
  await reconcile()
  masters = []
  await reconcile()
  expect(await stateOf(first)).toMatchObject({ state: 'failed', reason: { key: 'backupClusterLost' } })
  expect(agents.newest('backup.restore').isCancelAsked).toBe(true)
  const open = await deps.db.selectFrom('vault_grants').selectAll().where('task_id', 'is not', null).execute()
  const ofTask = open.filter(({ task_id }) => task_id === agents.newest('backup.restore').id)
  for (const grant of ofTask) expect(grant.until.getTime()).toBeLessThanOrEqual(clock.now().getTime())

  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newmaster0' }]
  const second = await begin()
  await deleteBackup(deps, caller, { backupId })
  await reconcile()
  expect(await stateOf(second)).toEqual({ id: second, state: 'failed', reason: { key: 'backupRestoreEnded' } })
  await expect(begin()).rejects.toThrow(/is being deleted/)
})

test('is begun of what the owner has and of what fits, and its duration is estimated from earlier ones', async () => {
  await expect(begin({ diskMiB: 5000 })).rejects.toThrow(/do not fit on the disk of bay/)
  await expect(begin({ backupId: 'bk_none000000' })).rejects.toThrow(/There is no such/)
  await expect(begin({ snapshotId: 'sn_none000000' })).rejects.toThrow(/There is no such/)
  expect(await getSnapshot(deps, caller.userid, snapshotId, 'en-US')).toMatchObject({ seconds: 60, refusal: null })
  await expect(getSnapshot(deps, 'did:key:other', snapshotId, 'en-US')).rejects.toThrow(/There is no such/)
  await expect(getRestoring(deps, 'did:key:other', clusterId, 'en-US')).rejects.toThrow(/There is no such/)
  expect(await shown()).toBeNull()
  await begin({ snapshotId })
  expect((await shown())?.restore).toMatchObject({ way: 'newCluster', target: { clusterId, clusterName: 'Manihi' } })
})
