/**
 * Drills on clusters that are made for them: each step, each way to end, and what is left of the cluster. Clusters are
 * rows as the module writes them, with no provider; both machines' agents are scripted.
 */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { drillClusters } from '../clusters/drills/drill-clusters.ts'
import { testCatalog } from '../clusters/testing/cluster-world.ts'
import { deleteBackup, pauseBackup } from './commands/backup-change.ts'
import { cancelRun } from './commands/backup-run.ts'
import { drillSweep } from './reconcile/drill-sweep.ts'
import { type BackupDesk, openBackupDesk } from './testing/backup-desk.ts'

const start = new Date('2028-06-01T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const clock = createTestClock(start)
const root = 'ab'.repeat(32)
const came = { outcome: 'done', root, files: 40, bytes: 4000, warnings: 0, durationMs: 5 }
const newKey = { kty: 'EC', crv: 'P-256', x: 'n'.repeat(43), y: 'n'.repeat(43) } as const
const box = 'e30..BBBB.BBBB.BBBB'
const database = useDatabase()
let desk: BackupDesk
let id: string

/** A backup whose drill has just begun, on a cluster of its own. */
beforeEach(async () => {
  clock.set(start)
  // Those of the test before.
  await database.db.updateTable('clusters').set({ status: 'destroyed' }).where('purpose', '=', 'drill').execute()
  desk = await openDrillDesk()
  id = await drilledBackup(desk)
})

async function openDrillDesk(catalog = testCatalog): Promise<BackupDesk> {
  const made = await openBackupDesk(database, clock)
  Object.assign(made.agents.agent.backups ?? {}, { mayReseal: true })
  made.deps.drills = drillClusters({ clock, compute: { catalog } as never }) // all that it asks of compute
  return made
}

async function drilledBackup(of: BackupDesk, name = 'Everything', slot = '03:00'): Promise<string> {
  const made = await of.create({ name, schedule: { every: 'month', at: slot, day: 1 } })
  await of.runNow(made, { files: 40, manifest: { root, files: 40, apart: [] } })
  // No slot comes in between.
  await pauseBackup(of.deps, of.caller, { backupId: made, paused: true })
  pass(day)
  await settleCheck(of, made)
  return made
}

const pass = (ms: number) => clock.set(new Date(clock.now().getTime() + ms))
const reconcile = () => desk.reconcile(id)
const step = async () => (await desk.proving(id))?.drillStep
/** How often those who look at the backup were told that it changed. */
const told = async () =>
  (await database.db.selectFrom('changes').select('id').where('object_id', '=', id).execute()).length
const proof = async () => (await desk.show(id)).proof
const chores = () =>
  database.db
    .selectFrom('backup_chores')
    .selectAll()
    .where('backup_id', '=', id)
    .where('kind', '=', 'drill')
    .orderBy('created_at')
    .execute()
const clusters = () =>
  database.db
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select(['clusters.id', 'clusters.owner', 'clusters.desired', 'clusters.offering', 'instances.id as instanceId'])
    .where('purpose', '=', 'drill')
    .where('clusters.status', '<>', 'destroyed')
    .orderBy('clusters.created_at')
    .execute()
const desiredOnes = async () => (await clusters()).map(({ desired }) => desired)

/** Reading back comes first, where it is due too. */
async function settleCheck(of: BackupDesk, backupId: string): Promise<void> {
  await of.reconcile(backupId)
  for (const task of of.agents.tasks.values()) {
    if (task.kind !== 'backup.check' || task.state !== 'offered') continue
    of.agents.end(task, { outcome: 'done', durationMs: 5 })
    await of.reconcile(backupId)
  }
}

/** The agents of all clusters that were made come. */
async function arrive(of = desk, restic: string | null = '0.18.0'): Promise<void> {
  const known = new Set(of.agents.others.map(({ instanceId }) => instanceId))
  for (const { instanceId } of await clusters()) {
    if (known.has(instanceId)) continue
    of.agents.others.push({ instanceId, connected: true, lastSeenAt: clock.now(), backups: { restic, key: newKey } })
  }
}

async function seal(result: Record<string, unknown> = { outcome: 'done', box }): Promise<void> {
  await arrive()
  await reconcile()
  desk.agents.end(desk.agents.newest('backup.reseal'), result)
  await reconcile()
}

async function sweep(): Promise<void> {
  await drillSweep(desk.deps).run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}

test('a drill makes a machine, has the password sealed for it, and compares what that restores', async () => {
  const [cluster] = await clusters()
  expect(cluster).toMatchObject({ desired: 'running', offering: 'small' })
  expect(cluster?.owner).not.toBe(desk.caller.userid)
  expect([await step(), (await desk.proving(id))?.cancellable]).toEqual(['making', true])
  await reconcile()
  expect([...desk.agents.tasks.values()].filter(({ kind }) => kind === 'backup.reseal')).toEqual([])

  const toldOfMaking = await told()
  await arrive()
  await reconcile()
  expect(await step()).toBe('sealing')
  const toldOfSealing = await told()
  expect(toldOfSealing).toBeGreaterThan(toldOfMaking)
  const sealing = desk.agents.newest('backup.reseal')
  expect(sealing).toMatchObject({ instanceId: desk.agents.agent.instanceId, params: { backupId: id, to: newKey } })
  desk.agents.end(sealing, { outcome: 'done', box })
  await reconcile()

  expect(await step()).toBe('restoring')
  expect(await told()).toBeGreaterThan(toldOfSealing)
  const task = desk.agents.newest('backup.drill')
  expect(task).toMatchObject({ instanceId: cluster?.instanceId, params: { backupId: id, box, paths: ['/'] } })
  expect(JSON.stringify(task.params), 'it is not told what to find').not.toContain(root)
  const grants = database.db.selectFrom('vault_grants').select(['rights', 'until']).where('task_id', '=', task.id)
  expect(await grants.execute()).toMatchObject([{ rights: 'read' }])
  desk.agents.end(task, came)
  await reconcile()

  expect((await proof()).drill).toMatchObject({ passed: true, equal: 40, sameHost: false })
  expect([await desiredOnes(), await desk.proving(id), desk.mails]).toEqual([['destroyed'], null, []])
  for (const { until } of await grants.execute()) expect(until.getTime()).toBeLessThanOrEqual(clock.now().getTime())
  pass(30 * day)
  await settleCheck(desk, id)
  expect(await desiredOnes(), 'a month later on another one').toEqual(['destroyed', 'running'])
})

test.each([
  ['another root', { root: 'cd'.repeat(32) }],
  ['a file less', { files: 39 }],
  ['nothing', { files: 0 }],
  ['a warning', { warnings: 1 }],
])('%s does not pass, is mailed, and its cluster goes', async (_, lie) => {
  await seal()
  desk.agents.end(desk.agents.newest('backup.drill'), { ...came, ...lie })
  await reconcile()
  expect((await proof()).drill).toMatchObject({ passed: false, sameHost: false })
  expect([desk.mails.length, await desiredOnes()]).toEqual([1, ['destroyed']])
})

/** What happens, and in which words it is told. */
const endings: Record<string, [() => Promise<unknown> | unknown, string]> = {
  'whose cloud is full': [
    () =>
      database.db
        .updateTable('instances')
        .set({ status: 'errored', error: '{"key":"queuingLate","cause":{"key":"noRoomYet"}}' })
        .execute(),
    'There was no room for a machine to drill on. It is tried again a day later.',
  ],
  'whose machine cannot be made': [
    () => database.db.updateTable('instances').set({ status: 'errored', error: '{"key":"gone"}' }).execute(),
    'The machine to drill on could not be made. It is tried again a day later.',
  ],
  'whose machine does not come': [
    () => pass(31 * minute),
    'The drill could not begin within half an hour: a machine was not connected. It is tried again a day later.',
  ],
  'whose cluster is destroyed by the operator': [
    () => database.db.updateTable('clusters').set({ desired: 'destroyed' }).where('purpose', '=', 'drill').execute(),
    'The machine to drill on was lost. It is tried again a day later.',
  ],
  'whose backed-up cluster is destroyed before it sealed the password': [
    () => desk.masters.splice(0),
    'The cluster is gone.',
  ],
  'whose password cannot be sealed': [
    () => seal({ outcome: 'failed', failure: 'no_password', text: 'No password of this backup is kept here.' }),
    'Waits for the backup password.',
  ],
  'whose machine is lost while it restores': [
    async () => {
      await seal()
      Object.assign(desk.agents.others[0] ?? {}, { connected: false })
      pass(11 * minute)
    },
    'The machine to drill on was lost. It is tried again a day later.',
  ],
  'that takes too long': [
    async () => {
      await seal()
      pass(6 * hour + minute)
    },
    'The drill took longer than six hours and was ended. It is tried again a day later.',
  ],
  'that takes too long, and whose machine the sweep took first': [
    async () => {
      await seal()
      pass(6 * hour + minute)
      await sweep()
    },
    'The drill took longer than six hours and was ended. It is tried again a day later.',
  ],
  'that finds no room on the disk': [
    async () => {
      await seal()
      const failed = { outcome: 'failed', failure: 'no_room', text: 'disk full' }
      desk.agents.end(desk.agents.newest('backup.drill'), failed)
    },
    'The drive has no room for the files.',
  ],
  'that its owner cancels while the machine is made': [
    () => cancelRun(desk.deps, desk.caller, { backupId: id, proof: true }),
    'The proof was canceled.',
  ],
  'that its owner cancels while it restores': [
    async () => {
      await seal()
      await cancelRun(desk.deps, desk.caller, { backupId: id, proof: true })
    },
    'The proof was canceled.',
  ],
}

describe('a drill', () => {
  test.each(Object.entries(endings))(
    '%s says so, proves nothing, and leaves no cluster',
    async (_, [happen, words]) => {
      await happen()
      await reconcile()
      expect(await chores()).toMatchObject([{ ended_at: clock.now() }])
      const { drill, drillMissed } = await proof()
      expect([drill, drillMissed?.reason, desk.mails]).toEqual([null, words, []])
      expect([await desiredOnes(), await desk.proving(id)]).toEqual([['destroyed'], null])
      const open = await database.db.selectFrom('vault_grants').selectAll().where('until', '>', clock.now()).execute()
      const tasks = (await chores()).flatMap(({ task_id }) => task_id ?? [])
      expect(open.filter(({ task_id }) => task_id !== null && tasks.includes(task_id))).toEqual([])
    },
  )

  test('goes on where its backed-up cluster is destroyed after it sealed the password', async () => {
    await seal()
    desk.masters.splice(0)
    desk.agents.end(desk.agents.newest('backup.drill'), came)
    await reconcile()
    expect((await proof()).drill).toMatchObject({ passed: true })
    expect(await desiredOnes()).toEqual(['destroyed'])
  })

  test('ends with its backup', async () => {
    await seal()
    await deleteBackup(desk.deps, desk.caller, { backupId: id })
    await reconcile()
    expect([await desiredOnes(), (await chores())[0]?.ended_at]).toEqual([['destroyed'], clock.now()])
  })

  test('for which all is sold out is not begun, says so, and is tried a day later', async () => {
    await desk.deps.db.transaction().execute(async (trx) => {
      for (const { id: clusterId } of await clusters()) await desk.deps.drills.destroy(trx, clusterId)
    })
    await reconcile()
    const sold = testCatalog.clouds.map((cloud) => ({
      ...cloud,
      offerings: cloud.offerings.map((each) => ({ ...each, soldOutIn: cloud.regions.map(({ regionId }) => regionId) })),
    }))
    const catalog = { ...testCatalog, clouds: sold }
    desk.deps.drills = drillClusters({ clock, compute: { catalog } as never }) // as above
    pass(day)
    await settleCheck(desk, id)
    expect((await proof()).drillMissed?.reason).toBe(
      'There was no room for a machine to drill on. It is tried again a day later.',
    )
    expect([await desiredOnes(), await desk.proving(id)]).toEqual([['destroyed'], null])
    desk.deps.drills = drillClusters({ clock, compute: { catalog: testCatalog } as never }) // as above
    pass(day)
    await settleCheck(desk, id)
    expect(await desiredOnes()).toEqual(['destroyed', 'running'])
  })

  test('of each backup has a cluster of its own, and a fifth waits until one of four is gone', async () => {
    const others: string[] = []
    for (const name of ['Two', 'Three', 'Four', 'Five']) {
      others.push(await drilledBackup(desk, name, `0${others.length + 4}:00`))
    }
    expect(await desiredOnes()).toEqual(['running', 'running', 'running', 'running'])
    expect(new Set((await clusters()).map(({ owner }) => owner)).size).toBe(1)
    const [fifth = ''] = others.slice(-1)
    expect((await desk.show(fifth)).proof.drillMissed).toBeNull()
    await desk.reconcile(id)
    await desk.reconcile(fifth)
    expect(await desiredOnes()).toEqual(['destroyed', 'running', 'running', 'running', 'running'])
  })
})

test('wherever the worker dies, a drill ends with one verdict, and no cluster is left', async () => {
  /** Every call that a look makes of others fails once, the `fatal`th of all, after it was made. */
  async function walk(fatal: number): Promise<number> {
    const { deps } = desk
    const [{ agents, drills, vault }] = [deps]
    let calls = 0
    const dying =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        const answer = await call(...args)
        calls += 1
        if (calls === fatal) throw new Error('the worker dies')
        return answer
      }
    // A task that was asked for in a transaction that did not end was never asked for.
    const asked = async (...args: Parameters<typeof agents.requestTask>) => {
      calls += 1
      if (calls === fatal) throw new Error('the worker dies')
      return await agents.requestTask(...args)
    }
    deps.agents = { ...agents, requestTask: asked as typeof agents.requestTask }
    deps.drills = { ...drills, order: dying(drills.order), find: dying(drills.find), destroy: dying(drills.destroy) }
    deps.vault = { ...vault, grant: dying(vault.grant), endGrants: dying(vault.endGrants) }
    const look = async () => {
      await arrive()
      await reconcile().catch((error: Error) => {
        if (error.message !== 'the worker dies') throw error
      })
      for (const task of desk.agents.tasks.values()) {
        if (task.state !== 'offered') continue
        if (task.kind === 'backup.check') desk.agents.end(task, { outcome: 'done', durationMs: 5 })
        if (task.kind === 'backup.reseal') desk.agents.end(task, { outcome: 'done', box })
        if (task.kind === 'backup.drill') desk.agents.end(task, came)
      }
    }
    const before = (await proofs()).length
    pass(31 * day)
    const isOver = async () => (await proofs()).length > before && (await desk.proving(id)) === null
    for (let at = 0; at < 12 && !(await isOver()); at += 1) await look()
    Object.assign(deps, { agents, drills, vault })
    expect((await proofs()).slice(before)).toMatchObject([{ passed: true, elsewhere: true }])
    expect((await desiredOnes()).filter((each) => each === 'running')).toEqual([])
    return calls
  }
  const proofs = () =>
    database.db
      .selectFrom('proofs')
      .select(['passed', 'elsewhere'])
      .where('backup_id', '=', id)
      .where('level', '=', 'drilled')
      .orderBy('at')
      .execute()
  await seal()
  desk.agents.end(desk.agents.newest('backup.drill'), came)
  await reconcile()
  const calls = await walk(Number.POSITIVE_INFINITY)
  expect(calls).toBeGreaterThan(8)
  expect(calls).toBeLessThan(25)
  for (let fatal = 1; fatal <= calls; fatal += 1) await walk(fatal)
})

test('the sweep leaves what is drilled on, and destroys what is too old or nobody’s', async () => {
  await sweep()
  expect(await desiredOnes()).toEqual(['running'])
  // Whatever keeps its backup from being looked at.
  pass(6 * hour + minute)
  await sweep()
  expect(await desiredOnes()).toEqual(['destroyed'])

  const request = { size: 1000, currency: 'usd', onlyFree: true } as const
  await database.db.transaction().execute((trx) => desk.deps.drills.order(trx, request))
  await sweep()
  expect(await desiredOnes()).toEqual(['destroyed', 'destroyed'])
})
