/** Backups as clients see them: plans, their runs, and restores (design/backups). Sizes are bytes. */
import { z } from 'zod'
import { BackupKey } from '../agents/backup-tasks.ts'
import { ClusterId, InstanceId, IsoTime, WireInt } from '../wire/fields.ts'
import type { BackupsFieldReason } from './field-reasons.ts'
import { BackupId, RestoreId, SnapshotId } from './ids.ts'

export { BackupKey }

/** Minutes between two slots of a cluster: each start belongs to one backup. */
export const slotMinutes = 15
/** Most backups of one cluster that are not deleted. */
export const mostBackups = 20
/** Between asking to delete a backup and its end it can be taken back. ms */
export const deleteGraceMs = 14 * 24 * 3600_000

const minute = WireInt.pipe(z.int().min(0).max(59)).refine(
  (value) => value % slotMinutes === 0,
  'quarterHour' satisfies BackupsFieldReason,
)
/** HH:MM on the clock of the cluster's zone. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, 'quarterHour' satisfies BackupsFieldReason)

/** When a backup runs. `weekday`: 1 is Monday, 7 Sunday. `day`: 29 to 31 mean the last day of shorter months. */
export const BackupSchedule = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('hour'), minute }),
  z.strictObject({ every: z.literal('day'), at: timeOfDay }),
  z.strictObject({ every: z.literal('week'), at: timeOfDay, weekday: WireInt.pipe(z.int().min(1).max(7)) }),
  z.strictObject({ every: z.literal('month'), at: timeOfDay, day: WireInt.pipe(z.int().min(1).max(31)) }),
])
export type BackupSchedule = z.output<typeof BackupSchedule>

const count = WireInt.pipe(z.int().min(0).max(1000)).default(0)
/** How many runs are kept: the newest ones, and the newest one of each of the last hours, days, weeks and so on. */
export const KeepRules = z
  .strictObject({ last: count, hourly: count, daily: count, weekly: count, monthly: count, yearly: count })
  .refine((rules) => Object.values(rules).some((each) => each > 0), 'keepNothing' satisfies BackupsFieldReason)
export type KeepRules = z.output<typeof KeepRules>
/** Why a snapshot is kept: a rule, or, as restic does, the oldest where a rule has counts left; or what it is. */
export const keepReasons = [
  ...(['last', 'hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const),
  ...(['oldest last', 'oldest hourly', 'oldest daily', 'oldest weekly', 'oldest monthly', 'oldest yearly'] as const),
  ...(['newest', 'proved', 'restoring', 'pinned', 'recent'] as const),
] as const
export type KeepReason = (typeof keepReasons)[number]
/** Hours for which the rules remove no snapshot, unless the next run has no room. */
export const leastKeptHours = 48

const keepNone: KeepRules = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
const defaultKeeps: Record<BackupSchedule['every'], KeepRules> = {
  hour: { ...keepNone, hourly: 48, daily: 30, monthly: 12 },
  day: { ...keepNone, daily: 30, monthly: 12 },
  week: { ...keepNone, weekly: 12, monthly: 12 },
  month: { ...keepNone, monthly: 12 },
}
/** The rules of a plan whose owner chose none. */
export function defaultKeepOf({ every }: Pick<BackupSchedule, 'every'>): KeepRules {
  return defaultKeeps[every]
}

/** A folder or file within the drive, from its root: `/` is all of it. */
export const DrivePath = z
  .string()
  .min(1)
  .max(1024)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that no control character is in a path is the rule
  .regex(/^\/[^\u0000-\u001f\u007f]*$/, 'drivePath' satisfies BackupsFieldReason)
  .refine(
    (path) =>
      path === '/' ||
      path
        .slice(1)
        .split('/')
        .every((part) => part !== '' && part !== '.' && part !== '..'),
    'drivePath' satisfies BackupsFieldReason,
  )
export const BackupPaths = z.array(DrivePath).min(1).max(20)

export const BackupName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}]*$/u, 'backupName' satisfies BackupsFieldReason)

export const runStates = ['Pending', 'Started', 'Running', 'Canceled', 'Completed', 'Failed'] as const
export const RunState = z.enum(runStates)
export type RunState = z.infer<typeof RunState>
export const snapshotKinds = ['Fully', 'Incremental'] as const
export const backupStates = ['active', 'paused', 'deleting', 'deleted'] as const
export type BackupState = (typeof backupStates)[number]
/** On the cluster that was backed up. */
export const restoreWays = ['newFolder', 'replace'] as const
/** Of chosen files; `beside`: where they were, with a free name where something is there. */
export const chosenWays = ['newFolder', 'beside', 'replace'] as const
/** `newCluster`: ordered as one. */
export const allRestoreWays = [...restoreWays, 'newCluster'] as const
export type RestoreWay = (typeof allRestoreWays)[number]

/** Whether the files of a snapshot, bytes, have room on a disk, MiB: the system and what follows need some, too. */
export function fitsDisk(size: number, diskMiB: number): boolean {
  return size * 1.1 + 256 * 1024 ** 2 <= diskMiB * 1024 ** 2
}

/** Proof of a backup: it arrived, it reads as it was written, or its files were restored unchanged. */
export const proofLevels = ['written', 'read', 'drilled'] as const
export type ProofLevel = (typeof proofLevels)[number]
/** A proof that was asked for: waits for the machine, the machine reads, the store hashes every file. */
export const proveStates = ['asked', 'reading', 'hashing'] as const
export type ProveState = (typeof proveStates)[number]
/** Much less than before, or nearly all of it new: nothing is forgotten until the owner answers. */
export const alarmKinds = ['shrink', 'rewrite'] as const
export type AlarmKind = (typeof alarmKinds)[number]

export const BackupProof = z.object({
  /** Everything that is stored has been read since then: the age of the oldest part. Null: not all of it, or damage. */
  readAt: IsoTime.nullable(),
  /** The newest drill: a snapshot was restored elsewhere and compared. `equal` of `files` came back as they were. */
  drill: z
    .object({
      at: IsoTime,
      passed: z.boolean(),
      files: z.number().nullable(),
      equal: z.number().nullable(),
      reason: z.string().nullable(),
      /** On the machine that was backed up, not on one that was made for it. */
      sameHost: z.boolean(),
    })
    .nullable(),
  /** Why the newest drill since then could not be carried out; it is tried again a day later. */
  drillMissed: z.object({ at: IsoTime, reason: z.string() }).nullable(),
  /** The stored bytes differ from those written. */
  damage: z.object({ at: IsoTime, reason: z.string() }).nullable(),
  /** Of `backup/prove`; null: none was asked for, or it is over. */
  state: z.enum(proveStates).nullable(),
  /** Why the last one that was asked for could not be had, or what this one waits for. */
  reason: z.string().nullable(),
})
export type BackupProof = z.infer<typeof BackupProof>

export const BackupAlarm = z.object({
  kind: z.enum(alarmKinds),
  at: IsoTime,
  snapshotId: SnapshotId,
  /** How much of all is gone or is new, per cent. */
  percent: z.number(),
  /** The owner said that it was not them. */
  held: z.boolean(),
})
export type BackupAlarm = z.infer<typeof BackupAlarm>

/** How far a run or a restore is, as its machine said last; null where it does not know. */
export const RunProgress = z.object({
  filesDone: z.number(),
  filesTotal: z.number().nullable(),
  bytesDone: z.number(),
  bytesTotal: z.number().nullable(),
  bytesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** Files that could not be read so far. */
  unreadFiles: z.number(),
})
export type RunProgress = z.infer<typeof RunProgress>

/** A file of the store that is not what was written; `storedAt`: when it came, as far as the store knows. */
export const DamagedFile = z.object({
  type: z.enum(['config', 'keys', 'locks', 'snapshots', 'index', 'data']),
  /** 64 hex digits, or `config`. */
  name: z.string(),
  bytes: z.number(),
  storedAt: IsoTime,
  /** Of type `snapshots`: when the snapshot that it lists was made. */
  snapshotAt: IsoTime.nullable(),
})
export type DamagedFile = z.infer<typeof DamagedFile>
/** So many are listed, by name. */
export const mostDamagedListed = 20

/** `asked`: waits to be begun. The machine reads what is stored, or restores it for a drill; the store reads it. */
export const proofStages = ['asked', 'reading', 'drilling', 'hashing'] as const
/** Of a drill: a machine is made for it, gets the password, and restores; or the machine that was backed up does. */
export const drillSteps = ['making', 'sealing', 'restoring', 'sameHost'] as const

/** A proof that is under way, by its schedule or because somebody asked. */
export const ProofWork = z.object({
  stage: z.enum(proofStages),
  since: IsoTime,
  /** Which part of all that is stored is read; null: everything, or a drill. */
  part: z.object({ k: z.int(), n: z.int() }).nullable(),
  drillStep: z.enum(drillSteps).nullable(),
  /** The reason why it waits, in the caller's language. */
  reason: z.string().nullable(),
  /** Of reading, files are those of the store, and their bytes are not known. */
  progress: RunProgress.nullable(),
  cancellable: z.boolean(),
  cancelAsked: z.boolean(),
})
export type ProofWork = z.infer<typeof ProofWork>

/** Actions of the owner on one snapshot, besides restoring it. */
export const snapshotActions = ['pin', 'unpin', 'forget', 'takeBack'] as const

export const Snapshot = z.object({
  snapshotId: SnapshotId,
  kind: z.enum(snapshotKinds),
  state: RunState,
  /** The slot; null: somebody asked for it. */
  scheduledFor: IsoTime.nullable(),
  createdAt: IsoTime,
  /** When the machine was asked to make it, and when it began; null: not yet. */
  startedAt: IsoTime.nullable(),
  runningAt: IsoTime.nullable(),
  endedAt: IsoTime.nullable(),
  /** Bytes of all files, and bytes that had to be stored; null until it ended well. */
  size: z.number().nullable(),
  newBytes: z.number().nullable(),
  files: z.number().nullable(),
  /** Files that could not be read. */
  unreadFiles: z.number(),
  /** In the caller's language: what it waits for, or why it did not work out; null while all is well. */
  reason: z.string().nullable(),
  progress: RunProgress.nullable(),
  /** The best that is known of it besides that it was written. */
  proof: z.object({ level: z.enum(['read', 'drilled']), at: IsoTime }).nullable(),
  /** Its files can be restored. */
  restorable: z.boolean(),
  /** The rules never remove it. `until`: null is for as long as its owner does not unpin it. Null: it is not pinned. */
  pin: z.object({ until: IsoTime.nullable() }).nullable(),
  /** It is no longer kept. Until `until` it can be taken back; null: its bytes are gone. Null: it is kept. */
  forgotten: z.object({ at: IsoTime, until: IsoTime.nullable() }).nullable(),
  actions: z.array(z.enum(snapshotActions)),
  cancellable: z.boolean(),
  cancelAsked: z.boolean(),
})
export type Snapshot = z.infer<typeof Snapshot>

export const Restore = z.object({
  restoreId: RestoreId,
  snapshotId: SnapshotId,
  /** When the files that it brings back were backed up. */
  snapshotAt: IsoTime,
  way: z.enum([...allRestoreWays, 'beside']),
  /** The cluster that is made for it, or that reads it in place of the backup's own; null: that one does. */
  target: z.object({ clusterId: ClusterId, clusterName: z.string() }).nullable(),
  state: RunState,
  /** Where the files are, from the drive's root; null until it is done. */
  folder: z.string().nullable(),
  /**
   * The folder of the drive that has what no snapshot holds of what was replaced, and how many files that are; with
   * `isWhole` all that was there, as no snapshot could be taken first. Null: nothing had to be kept.
   */
  kept: z.object({ folder: z.string(), files: z.number(), isWhole: z.boolean() }).nullable(),
  createdAt: IsoTime,
  endedAt: IsoTime.nullable(),
  files: z.number().nullable(),
  size: z.number().nullable(),
  reason: z.string().nullable(),
  /** Only another password helps: `backup/unlock`. */
  needsPassword: z.boolean(),
  progress: RunProgress.nullable(),
  cancellable: z.boolean(),
})
export type Restore = z.infer<typeof Restore>

export const Backup = z.object({
  backupId: BackupId,
  clusterId: ClusterId,
  clusterName: z.string(),
  name: z.string(),
  state: z.enum(backupStates),
  paths: z.array(z.string()),
  schedule: BackupSchedule,
  timeZone: z.string(),
  keep: KeepRules,
  /** When the next run begins; null while it is paused or being deleted. */
  nextAt: IsoTime.nullable(),
  /** Until then it can be taken back: 14 days, or sooner where the account has more trash than quota. */
  deletedAt: IsoTime.nullable(),
  /** Bytes of its repository in the vault. */
  size: z.number(),
  snapshots: z.int(),
  oldestAt: IsoTime.nullable(),
  /** Nobody has given the machine the password, or the one that was given is wrong. */
  needsPassword: z.boolean(),
  /**
   * `isWanted`: the machine is to change it, and has not yet; until then the current one opens the backup, and both
   * may. `reason`: why the last change failed. Null: none is wanted, and none failed.
   */
  passwordChange: z.object({ isWanted: z.boolean(), reason: z.string().nullable() }).nullable(),
  /** The newest run, whatever became of it, and the newest that was completed. */
  newest: Snapshot.nullable(),
  /** The newest that is kept, whose files can be looked at and restored. */
  newestKept: SnapshotId.nullable().default(null),
  lastCompletedAt: IsoTime.nullable(),
  proof: BackupProof,
  alarm: BackupAlarm.nullable(),
  /** An active cluster that was made of it, while its own is there: `backup/move` says where the plan belongs. */
  moveTo: z.object({ clusterId: ClusterId, clusterName: z.string() }).nullable(),
  actions: z.array(
    z.enum(['run', 'cancel', 'pause', 'resume', 'edit', 'changePassword', 'prove', 'restore', 'delete', 'undelete']),
  ),
})
export type Backup = z.infer<typeof Backup>

/** A cluster that can be backed up, as its master's agent says. */
export const BackupMachine = z.object({
  clusterId: ClusterId,
  clusterName: z.string(),
  instanceId: InstanceId,
  connected: z.boolean(),
  /** Version of restic there; null: none is found. */
  restic: z.string().nullable(),
  /** Null: the agent is too old for backups, or has not reported yet. */
  key: BackupKey.nullable(),
  /** One zone for all backups of a cluster; null before the first. */
  timeZone: z.string().nullable(),
  /** Starts that its backups have taken. */
  slots: z.array(z.object({ backupId: BackupId, name: z.string(), schedule: BackupSchedule })),
})
export type BackupMachine = z.infer<typeof BackupMachine>

/** The restore that a new cluster is created from: the snapshot that becomes its drive, and its progress. */
export const NewClusterRestore = z.object({
  backupId: BackupId,
  backupName: z.string(),
  restore: Restore,
  /** Of the snapshot. */
  files: z.number().nullable(),
  size: z.number().nullable(),
  /** The password that was given opens nothing: 'Backup password incorrect, please re-enter.' */
  refused: z.boolean(),
  /** Of the new machine, for its password; null: it has not reported yet. */
  key: BackupKey.nullable(),
})
export type NewClusterRestore = z.infer<typeof NewClusterRestore>
