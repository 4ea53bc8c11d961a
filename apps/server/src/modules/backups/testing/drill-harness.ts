/**
 * A backup whose drill has just begun on a cluster that is created for it, new for each test. Clusters are rows as the
 * module writes them, without a provider; the agents of both machines are scripted.
 */
import { beforeEach } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { drillClusters } from '../../clusters/drills/drill-clusters.ts'
import { testCatalog } from '../../clusters/testing/cluster-harness.ts'
import { pauseBackup } from '../commands/backup-change.ts'
import { drillSweep } from '../reconcile/drill-sweep.ts'
import { useBackupHarness } from './backup-harness.ts'

const day = 24 * 60 * 60_000
/** Of the machine that is drilled on: the password is sealed for it. */
export const newKey = { kty: 'EC', crv: 'P-256', x: 'n'.repeat(43), y: 'n'.repeat(43) } as const
/** Report of the drill's machine about a complete restore. */
export const came = { outcome: 'done', root: 'ab'.repeat(32), files: 40, bytes: 4000, warnings: 0, durationMs: 5 }
/** The sealed password, which only that machine can open. */
export const sealed = { outcome: 'done', box: 'e30..BBBB.BBBB.BBBB' }

/** Called once by a test file; `id` is that of the test that runs. */
export function useDrillHarness() {
  const { clock, database, harness } = useBackupHarness()
  let id: string
  beforeEach(async () => {
    // Those of the test before.
    await database.db.updateTable('clusters').set({ status: 'destroyed' }).where('purpose', '=', 'drill').execute()
    Object.assign(harness.agents.agent.backups ?? {}, { mayReseal: true })
    offer(testCatalog)
    id = await drilledBackup()
  })

  /** Sets the catalogue from which drills order their machines. */
  function offer(catalog: typeof testCatalog): void {
    harness.deps.drills = drillClusters({ clock, compute: { catalog } as never }) // all that it asks of compute
  }

  async function drilledBackup(name = 'Everything', slot = '03:00'): Promise<string> {
    const made = await harness.create({ name, schedule: { every: 'month', at: slot, day: 1 } })
    await harness.runNow(made, { files: 40, manifest: { root: came.root, files: 40, apart: [] } })
    // No slot comes in between.
    await pauseBackup(harness.deps, harness.caller, { backupId: made, paused: true })
    clock.advance(day)
    await harness.settleCheck(made)
    return made
  }

  const reconcile = () => harness.reconcile(id)
  const step = async () => (await harness.proving(id))?.drillStep
  /** How many changes of the backup were published. */
  const countChanges = async () =>
    (await database.db.selectFrom('changes').select('id').where('object_id', '=', id).execute()).length
  const proof = async () => (await harness.show(id)).proof
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

  /** The agents of all clusters that were made come. */
  async function arrive(): Promise<void> {
    const known = new Set(harness.agents.others.map(({ instanceId }) => instanceId))
    for (const { instanceId } of await clusters()) {
      if (known.has(instanceId)) continue
      const backups = { restic: '0.18.0', key: newKey }
      harness.agents.others.push({ instanceId, connected: true, lastSeenAt: clock.now(), backups })
    }
  }

  async function seal(result: Record<string, unknown> = sealed): Promise<void> {
    await arrive()
    await reconcile()
    harness.agents.end(harness.agents.newest('backup.reseal'), result)
    await reconcile()
  }

  async function sweep(): Promise<void> {
    await drillSweep(harness.deps).run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  }

  return {
    clock,
    database,
    harness,
    reconcile,
    step,
    countChanges,
    proof,
    chores,
    clusters,
    desiredOnes,
    offer,
    drilledBackup,
    arrive,
    seal,
    sweep,
    get id() {
      return id
    },
  }
}
