/** An account with one cluster, whose machine's tasks a test ends by hand, and what it asks of its backups. */
import type { BackupSchedule } from '@atoll/contract/backups'
import { createTestClock, type TestClock } from '@atoll/testkit'
import { beforeEach } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { openHarness } from '../../billing/testing/billing-harness.ts'
import type { MailOrder } from '../../mail/index.ts'
import {
  bringBackSnapshot,
  createVault,
  findTrashUntil,
  listBadFiles,
  listSnapshotFiles,
  listTrashUntil,
  moveRepository,
  scrubLeft,
  usageOf,
} from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { createBackup } from '../commands/backup-create.ts'
import { runBackup } from '../commands/backup-run.ts'
import { backupReconcile } from '../reconcile/backup-reconcile.ts'
import { getBackup, pageSnapshots } from '../views/backup-views.ts'
import { noDrillClusters } from './no-drill-clusters.ts'
import { scriptAgents } from './scripted-agents.ts'

export type BackupHarness = Awaited<ReturnType<typeof openBackupHarness>>

export const start = new Date('2028-06-01T12:00:00Z')
/** A password that only the machine opens. */
export const box = 'e30..AAAA.AAAA.AAAA'

/** Called once by a test file: a harness of its own for each test, which begins at `start`. */
export function useBackupHarness() {
  const clock = createTestClock(start)
  const database = useDatabase()
  const harness = {} as BackupHarness // filled before each test
  beforeEach(async () => {
    clock.set(start)
    Object.assign(harness, await openBackupHarness(database, clock))
  })
  return { clock, database, harness }
}

/** `vault`: one that listens; else one that keeps nothing, whose files a test inserts as rows. */
export async function openBackupHarness(database: Database, clock: TestClock, vault?: BackupDeps['vault']) {
  const { db } = database
  const harness = await openHarness(database, { clock })
  const { userid, did } = harness
  const clusterId = await harness.insertCluster()
  await db
    .updateTable('accounts')
    .set({ email: `${userid.slice(-8)}@atoll.test` })
    .where('account_id', '=', userid)
    .execute()
  const caller: Caller = { userid, did, sessionId: 'ss_aaaaaaaa', role: 'User', ip: '127.0.0.1' }
  const agents = scriptAgents('in_master0000', () => clock.now())
  const mails: MailOrder<never>[] = []
  /** The bytes of a repository that were reported to the meters, in order. */
  const held: number[] = []
  const masters = [{ clusterId, clusterName: 'Reef', instanceId: 'in_master0000' }]
  const deps: BackupDeps = {
    db,
    clock,
    config: { vaultRuns: 1000, product: 'Atoll' },
    agents: agents.face,
    listSnapshotFiles,
    usageOf,
    listBadFiles,
    scrubLeft,
    listTrashUntil,
    findTrashUntil,
    bringBackSnapshot,
    vault:
      vault ??
      createVault({
        strayMs: 0,
        db,
        clock,
        log: silentLog,
        readQuota: async () => null,
        onDamaged: async () => undefined,
        config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1:4803', vaultDir: '/nowhere' },
      }),
    cloudStore: undefined,
    ...noDrillClusters,
    mail: {
      async post(_, order) {
        mails.push(order as MailOrder<never>) // kept for assertions, whatever its kind
        return 'ml_test'
      },
    },
    listOwnMasters: async (_, owner) => (owner === userid ? masters : []),
    proveMaster: async (_, { instanceId }) => masters.find((master) => master.instanceId === instanceId),
    listClusterNames: async (_, ids) => ids.map((id) => ({ clusterId: id, clusterName: 'Reef' })),
    lockAccount: (trx, of) =>
      trx.selectFrom('accounts').select('account_id').where('account_id', '=', of).forNoKeyUpdate().execute(),
    onHeld: async (_, { bytes }) => void held.push(bytes),
    findActiveCluster: async () => undefined,
    moveRepository,
    wakeCluster: async () => undefined,
    quotaOf: async () => 5e9,
  }
  const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
  const reconcile = (id: string) => backupReconcile(deps).run({ id }, context)
  let files = 0

  /** The snapshot of the newest run is in the vault, and the run ends well a second later. */
  async function complete(id: string, more: Record<string, unknown> = {}): Promise<string> {
    await reconcile(id)
    const task = agents.newest('backup.run')
    files += 1
    const name = files.toString(16).padStart(64, '0')
    await insertFile(id, { type: 'snapshots', name, bytes: 400 })
    clock.set(new Date(clock.now().getTime() + 1000))
    const figures = { files: 12, bytes: 34_000, newBytes: 5_000, durationMs: 900, unreadFiles: 0 }
    agents.end(task, { outcome: 'done', snapshotId: name, ...figures, ...more })
    await reconcile(id)
    return name
  }

  /** Ends well what is offered of these kinds, one after another. */
  async function settle(id: string, kinds: readonly string[]): Promise<void> {
    await reconcile(id)
    for (const task of agents.tasks.values()) {
      if (!kinds.includes(task.kind) || task.state !== 'offered') continue
      agents.end(task, { outcome: 'done', durationMs: 5 })
      await reconcile(id)
    }
  }

  async function repositoryOf(id: string): Promise<string> {
    return (await db.selectFrom('backups').select('repo_id').where('id', '=', id).executeTakeFirstOrThrow()).repo_id
  }

  /** A file as the vault keeps it. */
  async function insertFile(
    id: string,
    { type, name, bytes }: { type: 'snapshots' | 'data' | 'keys'; name: string; bytes: number },
  ): Promise<void> {
    const at = clock.now()
    const repositoryId = await repositoryOf(id)
    await db
      .insertInto('vault_files')
      .values({ repo_id: repositoryId, type, name, bytes, stored_at: at, scrub_at: at })
      .execute()
    await db
      .updateTable('vault_usage')
      .set((from) => ({ live_bytes: from('live_bytes', '+', bytes) }))
      .where('owner', '=', userid)
      .execute()
  }

  async function create(more: Partial<Parameters<typeof createBackup>[2]> = {}): Promise<string> {
    const schedule: BackupSchedule = { every: 'month', at: '03:00', day: 1 }
    const keep = { last: 2, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
    const body = { clusterId, paths: ['/'], timeZone: 'Europe/Berlin', box, runNow: false }
    return (await createBackup(deps, caller, { ...body, name: 'Everything', schedule, keep, ...more })).backupId
  }

  return {
    insertCluster: harness.insertCluster,
    deps,
    agents,
    caller,
    clusterId,
    masters,
    mails,
    held,
    reconcile,
    complete,
    insertFile,
    repositoryOf,
    create,
    createDaily: (more: Parameters<typeof create>[0] = {}) =>
      create({ schedule: { every: 'day', at: '03:00' }, ...more }),
    /** Reading back comes before a drill, where it is due too. */
    settleCheck: (id: string) => settle(id, ['backup.check']),
    /** Those, and pruning. */
    settleChores: (id: string) => settle(id, ['backup.check', 'backup.prune']),
    /** The mails, as they would be written to this owner. */
    written: () =>
      mails.map(({ kind, params, locale }) =>
        kind.compose(params, { product: 'Atoll', url: 'https://atoll.test' }, locale),
      ),
    async runNow(id: string, more: Record<string, unknown> = {}): Promise<string> {
      const { snapshotId } = await runBackup(deps, caller, { backupId: id })
      await complete(id, more)
      return snapshotId
    },
    show: async (id: string) => (await getBackup(deps, userid, id, 'en-US')).backup,
    damaged: async (id: string) => (await getBackup(deps, userid, id, 'en-US')).damaged,
    proving: async (id: string) => (await getBackup(deps, userid, id, 'en-US')).proving,
    async runs(backupId: string) {
      return (await pageSnapshots(deps, userid, { backupId, page: 1, rowsPerPage: 100 }, 'en-US')).snapshots
    },
  }
}
