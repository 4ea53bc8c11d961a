/** Reads backups for calls. */
import {
  type Backup,
  type BackupMachine,
  type DamagedFile,
  mostDamagedListed,
  type ProofWork,
  type Restore,
  type Snapshot,
} from '@atoll/contract/backups'
import type { Locale, PageQuery } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { readPage } from '../../../platform/paging/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findOwnBackup, listKept, listOwnBackups } from '../records/backup-store.ts'
import { applyRetention } from '../records/kept-snapshots.ts'
import { findProof, listDrilled } from '../records/proof-store.ts'
import { isShortOfRoom, trashQuotaOf } from '../records/room.ts'
import { undeletableUntil } from '../records/undeletable.ts'
import type { BackupRow, RestoreRow, SnapshotRow } from '../tables.ts'
import { backupJson, restoreJson, snapshotJson } from './backup-json.ts'
import { findProofWork } from './proof-work.ts'

/** The newest restores that a page shows. */
const mostRestores = 10

export interface BackupOverview {
  backups: Backup[]
  machines: BackupMachine[]
  usage: { used: number; quota: number }
}

export async function listBackups(deps: BackupDeps, owner: string, locale: Locale): Promise<BackupOverview> {
  const { db } = deps
  const rows = await listOwnBackups(db, owner)
  const machines = await listMachines(deps, owner, rows)
  const [backups, { liveBytes }, quota] = await Promise.all([
    describe(deps, rows, machines, locale),
    deps.usageOf(db, { accountId: owner }),
    deps.quotaOf(db, owner),
  ])
  return { backups, machines, usage: { used: liveBytes, quota } }
}

export interface BackupDetail {
  backup: Backup
  machine: BackupMachine | null
  restores: Restore[]
  proving: ProofWork | null
  damaged: DamagedFile[]
  shortOfRoom: boolean
}

export async function getBackup(deps: BackupDeps, owner: string, id: string, locale: Locale): Promise<BackupDetail> {
  const row = await getOwnBackup(deps, owner, id)
  const machines = await listMachines(deps, owner, await listOwnBackups(deps.db, owner))
  const [backup] = await describe(deps, [row], machines, locale)
  if (!backup) throw new Error('A backup that was read is described')
  const machine = machines.find(({ clusterId }) => clusterId === row.cluster_id) ?? null
  const proving = await findProofWork(deps, row, locale)
  const damaged = row.damaged_at === null ? [] : await listDamaged(deps, row)
  const shortOfRoom = row.state !== 'deleting' && (await isShortOfRoom(deps, deps.db, row))
  return { backup, machine, restores: await listRestores(deps, id, locale), proving, damaged, shortOfRoom }
}

/** The damage that the store knows of; only the machine knows which files of the drive are affected. */
async function listDamaged({ db, listBadFiles }: BackupDeps, backup: BackupRow): Promise<DamagedFile[]> {
  const files = await listBadFiles(db, backup.repo_id, mostDamagedListed)
  const kept = await listKept(db, backup.id)
  return files.map(({ storedAt, ...file }) => {
    const snapshot = kept.find(({ restic_id }) => file.type === 'snapshots' && restic_id === file.name)
    return { ...file, storedAt: storedAt.toISOString(), snapshotAt: snapshot?.received_at.toISOString() ?? null }
  })
}

/** One page of its runs, the newest first. */
export async function pageSnapshots(
  deps: BackupDeps,
  owner: string,
  { backupId, ...page }: PageQuery & { backupId: string },
  locale: Locale,
) {
  const backup = await getOwnBackup(deps, owner, backupId)
  const query = deps.db
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', backupId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
  const { rows, figures } = await readPage(query, page)
  const tasks = await tasksOf(deps, rows)
  const proofOf = await readProofs(deps, backup, rows)
  const at = deps.clock.now()
  const untils = await listTakeBack(deps, backup, rows)
  const shown = (row: SnapshotRow) => ({
    task: tasks.get(row.task_id ?? ''),
    proof: proofOf(row),
    locale,
    at,
    takeBackUntil: untils.get(row.restic_id ?? ''),
  })
  return { snapshots: rows.map((row) => snapshotJson(row, shown(row))), ...figures }
}

/** Until when those of a page that are forgotten can be taken back, by restic's ids. */
async function listTakeBack(
  deps: BackupDeps,
  { owner, repo_id: repositoryId, state }: BackupRow,
  rows: readonly SnapshotRow[],
): Promise<Map<string, Date>> {
  const names = rows.flatMap(({ forgotten_at, restic_id }) => (forgotten_at && restic_id ? [restic_id] : []))
  if (names.length === 0 || state === 'deleting') return new Map()
  const quota = await trashQuotaOf(deps, deps.db, owner)
  return await deps.listTrashUntil(deps.db, { repositoryId, owner, names, quota })
}

/** The proofs of snapshots of a backup: which were read back or drilled. */
async function readProofs({ db }: BackupDeps, backup: BackupRow, rows: readonly SnapshotRow[]) {
  const { readAt } = await findProof(db, backup.id)
  const drilled = await listDrilled(db, backup.id, rows)
  return ({ id, received_at, forgotten_at }: SnapshotRow): Snapshot['proof'] => {
    if (received_at === null || forgotten_at !== null || backup.damaged_at !== null) return null
    const at = drilled.get(id)
    if (at) return { level: 'drilled', at: at.toISOString() }
    return readAt && received_at <= readAt ? { level: 'read', at: readAt.toISOString() } : null
  }
}

/** The snapshots that these rules, or the backup's own, would keep and remove now. */
export async function previewRetention(
  deps: BackupDeps,
  owner: string,
  { backupId, keep: rules }: { backupId: string; keep?: BackupRow['keep'] | undefined },
) {
  const backup = await getOwnBackup(deps, owner, backupId)
  const { keep, remove } = await applyRetention(deps, deps.db, backup, rules)
  const line = ({ id, at }: { id: string; at: Date }) => ({ snapshotId: id, at: at.toISOString() })
  return {
    keep: keep.map(({ snapshot, because }) => ({ ...line(snapshot), because })),
    remove: remove.map(({ snapshot, forRoom }) => ({ ...line(snapshot), forRoom })),
  }
}

export async function getOwnBackup({ db }: Pick<BackupDeps, 'db'>, owner: string, id: string): Promise<BackupRow> {
  return (await findOwnBackup(db, owner, id)) ?? refuse('notFound', { object: 'backup' })
}

async function listMachines(deps: BackupDeps, owner: string, backups: readonly BackupRow[]): Promise<BackupMachine[]> {
  const masters = await deps.listOwnMasters(deps.db, owner)
  const agents = await deps.agents.listAgents(
    deps.db,
    masters.map(({ instanceId }) => instanceId),
  )
  return masters.map((master) => {
    const agent = agents.find(({ instanceId }) => instanceId === master.instanceId)
    const own = backups.filter(({ cluster_id, state }) => cluster_id === master.clusterId && state !== 'deleting')
    return {
      ...master,
      connected: agent?.connected ?? false,
      restic: agent?.backups?.restic ?? null,
      key: agent?.backups?.key ?? null,
      timeZone: own[0]?.time_zone ?? null,
      slots: own.map(({ id, name, schedule }) => ({ backupId: id, name, schedule })),
    }
  })
}

async function describe(
  deps: BackupDeps,
  rows: readonly BackupRow[],
  machines: readonly BackupMachine[],
  locale: Locale,
): Promise<Backup[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const { db } = deps
  const newest = await db
    .selectFrom('snapshots')
    .distinctOn('backup_id')
    .selectAll()
    .where('backup_id', 'in', ids)
    .orderBy('backup_id')
    .orderBy('created_at', 'desc')
    .execute()
  const sums = await db
    .selectFrom('snapshots')
    .select((from) => [
      'backup_id',
      sql<number>`count(*) filter (where forgotten_at is null)::int`.as('kept'),
      sql<Date | null>`min(received_at) filter (where forgotten_at is null)`.as('oldest'),
      sql<string | null>`(array_agg(id order by received_at desc) filter (where forgotten_at is null))[1]`.as(
        'kept_id',
      ),
      from.fn.max('received_at').as('last'),
    ])
    .where('backup_id', 'in', ids)
    .where('state', '=', 'Completed')
    .groupBy('backup_id')
    .execute()
  const restoring = await db
    .selectFrom('restores')
    .select('backup_id')
    .where('backup_id', 'in', ids)
    .where('way', '<>', 'newCluster')
    .where('ended_at', 'is', null)
    .execute()
  const names = await clusterNames(deps, rows, machines)
  const tasks = await tasksOf(deps, newest)
  return await Promise.all(
    rows.map(async (row) => {
      const last = newest.find(({ backup_id }) => backup_id === row.id)
      const sum = sums.find(({ backup_id }) => backup_id === row.id)
      const proof = await findProof(db, row.id)
      const proofOf = last && (await readProofs(deps, row, [last]))
      return backupJson(row, {
        proof,
        locale,
        clusterName: names.get(row.cluster_id) ?? '',
        hasCluster: machines.some(({ clusterId }) => clusterId === row.cluster_id),
        size: (await deps.usageOf(db, { repositoryId: row.repo_id })).liveBytes,
        snapshots: sum?.kept ?? 0,
        oldestAt: sum?.oldest ?? null,
        newestKept: sum?.kept_id ?? null,
        lastCompletedAt: sum?.last ?? null,
        newest:
          last && proofOf
            ? snapshotJson(last, {
                task: tasks.get(last.task_id ?? ''),
                proof: proofOf(last),
                locale,
                at: deps.clock.now(),
                takeBackUntil: (await listTakeBack(deps, row, [last])).get(last.restic_id ?? ''),
              })
            : null,
        deletedAt: row.deleted_at && (await undeletableUntil(deps, db, row)),
        moveTo: moveToOf(row, machines),
        isRestoring: restoring.some(({ backup_id }) => backup_id === row.id),
      })
    }),
  )
}

/** The cluster that its owner is asked about, while it is there. */
function moveToOf({ move_to }: BackupRow, machines: readonly BackupMachine[]): Backup['moveTo'] {
  const machine = machines.find(({ clusterId }) => clusterId === move_to)
  return machine ? { clusterId: machine.clusterId, clusterName: machine.clusterName } : null
}

/** Of clusters that are gone, too: their backups outlive them. */
async function clusterNames(
  { listClusterNames, db }: BackupDeps,
  rows: readonly BackupRow[],
  machines: readonly BackupMachine[],
): Promise<Map<string, string>> {
  const living = new Map(machines.map(({ clusterId, clusterName }) => [clusterId, clusterName]))
  const gone = rows.map(({ cluster_id }) => cluster_id).filter((id) => !living.has(id))
  for (const { clusterId, clusterName } of await listClusterNames(db, gone)) living.set(clusterId, clusterName)
  return living
}

async function listRestores(deps: BackupDeps, backupId: string, locale: Locale): Promise<Restore[]> {
  const rows = await deps.db
    .selectFrom('restores')
    .innerJoin('snapshots', 'snapshots.id', 'restores.snapshot_id')
    .selectAll('restores')
    .select((from) => from.fn.coalesce('snapshots.received_at', 'snapshots.created_at').as('snapshot_at'))
    .leftJoin('owned_clusters as target', (join) =>
      join.on((of) => of('target.id', '=', of.fn.coalesce('restores.target_cluster_id', 'restores.reader_cluster_id'))),
    )
    .select('target.name as target_name')
    .where('restores.backup_id', '=', backupId)
    .orderBy('restores.created_at', 'desc')
    .orderBy('restores.id')
    .limit(mostRestores)
    .execute()
  const tasks = await tasksOf(deps, rows)
  return rows.map((row) => restoreJson(row, tasks.get(row.task_id ?? ''), locale))
}

/** Of what is under way, by the task's id. */
async function tasksOf(
  deps: BackupDeps,
  rows: readonly Pick<SnapshotRow | RestoreRow, 'task_id' | 'ended_at'>[],
): Promise<Map<string, AgentTask>> {
  const ids = rows.filter(({ ended_at }) => ended_at === null).flatMap(({ task_id }) => task_id ?? [])
  return new Map((await deps.agents.listTasks(deps.db, ids)).map((task) => [task.id, task]))
}
