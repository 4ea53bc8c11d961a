/**
 * The tasks of lane `restic`, and one beside them: what an agent does with the backups of its drive. Each may be killed
 * anywhere and runs again from its start. A task that was carried out is `done` whether restic succeeded or not:
 * `outcome` says which, so that nobody reads a kind of failure out of a sentence. `failed` is left to what no kind
 * foresees, such as an agent too old to know the task. Names of files are in no result and no progress: they stay on
 * the machine.
 */
import { z } from 'zod'
import type { BackupsFieldReason } from '../backups/field-reasons.ts'
import { BackupId } from '../backups/ids.ts'
import { backupFailures } from './backup-failures.ts'

/** The machine's public key (P-256), for which passwords are sealed: `ECDH-ES`, `A256GCM` (RFC 7518). */
export const BackupKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().regex(/^[\w-]{43}$/),
  y: z.string().regex(/^[\w-]{43}$/),
})
export type BackupKey = z.infer<typeof BackupKey>

/** restic's own number, `0.14.0`. */
export const ResticVersion = z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/)

/** A snapshot as restic names it: the name of its file in the repository. */
export const ResticSnapshotId = z.string().regex(/^[0-9a-f]{64}$/)
/** A password of a backup as a compact JWE for one machine's key: header, no key, nonce, text, tag. */
export const PasswordBox = z
  .string()
  .max(4096)
  .regex(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/, 'sealedPassword' satisfies BackupsFieldReason)

/**
 * Most characters of a box. Browser and machine exchange names of files in a snapshot as a compact JWE, as they do
 * passwords; the control plane never sees such a name in the clear.
 */
export const mostLookBox = 15_500
export const mostChoiceBox = 48_000
function sealedBox(most: number) {
  return z
    .string()
    .max(most)
    .regex(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/, 'sealedBox' satisfies BackupsFieldReason)
}
/** A `LookQuery` for the machine's key, or a `LookPage` for the key of the query. */
export const LookBox = sealedBox(mostLookBox)
/** A `RestoreChoice` for the machine's key. */
export const ChoiceBox = sealedBox(mostChoiceBox)

/** Where the repository is, and a right to it for as long as the task lasts. */
export const TaskRepository = z.object({
  /** `{ATOLL_VAULT_URL}/{vr_id}/` */
  url: z.url({ protocol: /^https?$/ }).max(500),
  grantId: z.string().regex(/^[\w-]{1,64}$/),
  token: z.string().regex(/^[\w-]{1,200}$/),
})
export type TaskRepository = z.infer<typeof TaskRepository>

/** Of the drive, as the personal server names them: `/` between names, `/` is the drive. */
const DrivePaths = z.array(z.string().regex(/^\//).max(4096)).min(1).max(100)

/**
 * The password comes in `box`; without one the agent takes what it kept of `backupId` when a task last opened the
 * repository with it.
 */
const common = { repository: TaskRepository, backupId: BackupId, box: PasswordBox.optional() }

export const RunParams = z.object({
  ...common,
  paths: DrivePaths,
  /** Patterns as restic reads them. */
  exclude: z.array(z.string().min(1).max(1024)).max(100).optional(),
  /**
   * The repository may be new: it is made where there is none. Otherwise a missing one is `no_repository`. A kill while
   * it is made may leave a key without a `config`, which newer restics never make a repository of: the server takes
   * such keys away at the next `POST ?create=true`.
   */
  first: z.boolean(),
})
export const RestoreParams = z.object({
  ...common,
  snapshotId: ResticSnapshotId,
  /** Of all its files, as its run counted them: the room that it takes where the repository can no longer say. */
  bytes: z.int().nonnegative().optional(),
  /** Of ways `newFolder`, `beside` and `replace`: these entries of the snapshot alone. */
  choice: ChoiceBox.optional(),
  target: z.discriminatedUnion('way', [
    /** A new folder in the drive; without `name`: `Restored 2026-11-23 05.00`, in UTC. */
    z.object({ way: z.literal('newFolder'), name: z.string().min(1).max(200).optional() }),
    /** Each entry of `choice` where it was; where something is there, beside it under a free name. */
    z.object({ way: z.literal('beside') }),
    /**
     * Each of `paths`, or of `choice`, that the snapshot holds takes the place of what the drive has there. Of that,
     * what the snapshot `safetyId` holds just as it is is removed, and the rest goes into a folder `Before the restore
     * of 2026-11-23 05.00`; without such a snapshot all of it does.
     */
    z.object({ way: z.literal('replace'), paths: DrivePaths, safetyId: ResticSnapshotId.nullish() }),
    /**
     * A machine that is being installed for this snapshot, which becomes its drive: its step `restore` waits for it.
     */
    z.object({ way: z.literal('newCluster') }),
  ]),
})
export const CheckParams = z.object({
  ...common,
  /** Part k of n of the stored bytes is read, after the structure of all; 1 ≤ k ≤ n ≤ 256, restic's own limit. */
  part: z.object({ k: z.int().min(1), n: z.int().min(1).max(256) }).refine(({ k, n }) => k <= n, 'k is more than n'),
})
export const PruneParams = z.object({
  ...common,
  /** Bytes that it may move to other packs, where the store has no more room; absent: as many as it finds. */
  maxMoved: z.int().nonnegative().optional(),
})

/** Has another password open the repository, and the current one, which the agent keeps, no longer. */
export const PasswordParams = z.object({
  ...common,
  /** The new one. */
  box: PasswordBox,
  /** Name of the key file that the current one opens: the grant lets this one be removed. */
  oldKey: z.string().regex(/^[0-9a-f]{64}$/),
})

/** Keyed hashes of the paths of what changed while it was backed up, or could not be read. */
const Apart = z.array(z.string().regex(/^[0-9a-f]{16}$/)).max(500)
export const DrillParams = z.object({
  ...common,
  snapshotId: ResticSnapshotId,
  /** Those that were backed up. */
  paths: DrivePaths,
  /** Left out, as at the backup. */
  apart: Apart,
})

/** A look at files of a snapshot of a backup of this machine; names are in `box` and in the page alone. */
export const LookParams = z.object({ backupId: BackupId, snapshotId: ResticSnapshotId, box: LookBox })

/** Seals the kept password of a backup for the key `to` of another machine, on which it is drilled. */
export const ResealParams = z.object({ backupId: BackupId, to: BackupKey })

const Count = z.int().nonnegative()
const Failed = z.object({
  outcome: z.literal('failed'),
  failure: z.enum(backupFailures),
  /** An English sentence for the operator: restic's words, without secrets. */
  text: z.string().max(500),
})
function resultOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('done'), ...shape }), Failed])
}

/** 64 hex digits over every entry of a tree, keyed with the repository's own id: who sees it learns nothing. */
const TreeRoot = z.string().regex(/^[0-9a-f]{64}$/)
/** Of a tree as it was backed up. */
export const Manifest = z.object({
  /** Null: more changed while it was read than is counted apart. */
  root: TreeRoot.nullable(),
  files: Count,
  apart: Apart,
})
export type Manifest = z.infer<typeof Manifest>

export const RunResult = resultOf({
  snapshotId: ResticSnapshotId,
  /** All in the snapshot. */
  files: Count,
  bytes: Count,
  /** Bytes read that the repository did not hold before. */
  newBytes: Count,
  durationMs: Count,
  /** Left out: unreadable, or gone when their turn came. */
  unreadFiles: Count,
  /** Absent: an agent that cannot make one, or a tree that is not backed up whole. */
  manifest: Manifest.nullish(),
})
export type RunResult = z.infer<typeof RunResult>
export const RestoreResult = resultOf({
  files: Count,
  bytes: Count,
  durationMs: Count,
  /** Name of the new folder; null after the other ways. */
  folder: z.string().nullable(),
  /**
   * Of a replace: the folder of the drive that has what no snapshot holds of what was there, and how many files that
   * are. `isWhole`: all that was there. Absent: nothing had to be kept.
   */
  kept: z.object({ folder: z.string(), files: Count, isWhole: z.boolean() }).optional(),
  /**
   * Files that could not be restored because their stored data is damaged; a folder counts as one. The files in their
   * places stay.
   */
  unreadFiles: Count.optional(),
})
export type RestoreResult = z.infer<typeof RestoreResult>
/** Damage is the failure `damaged`. */
export const CheckResult = resultOf({ durationMs: Count })
export type CheckResult = z.infer<typeof CheckResult>
export const PruneResult = resultOf({ durationMs: Count })
export type PruneResult = z.infer<typeof PruneResult>
/** `left`: how many keys there are besides the new one, left of changes that were cut off: the grant was for one. */
export const PasswordResult = resultOf({ durationMs: Count, left: Count })
export type PasswordResult = z.infer<typeof PasswordResult>

/**
 * Hashes of the restored files, which only a machine with the password can compute; the control plane compares them.
 */
export const DrillResult = resultOf({
  root: TreeRoot.nullable(),
  files: Count,
  bytes: Count,
  /** Lines that restic complained in. */
  warnings: Count,
  durationMs: Count,
})
export type DrillResult = z.infer<typeof DrillResult>
/** `page`: a gzipped `LookPage`. */
export const LookResult = resultOf({ page: LookBox })
export type LookResult = z.infer<typeof LookResult>
export const ResealResult = resultOf({ box: PasswordBox })
export type ResealResult = z.infer<typeof ResealResult>

/**
 * Of every kind; totals are 0 while nobody knows them, `secondsLeft` is null then. Where restic counts no bytes, as in
 * checking and pruning, files are the packs or indexes that it counts at that moment.
 */
export const BackupProgress = z.object({
  filesDone: Count,
  filesTotal: Count,
  bytesDone: Count,
  bytesTotal: Count,
  /** Of the last seconds; null before there is one. */
  bytesPerSecond: Count.nullable().default(null),
  secondsLeft: Count.nullable(),
  /** Of a run: files that could not be read so far. */
  unreadFiles: Count.optional(),
})
export type BackupProgress = z.infer<typeof BackupProgress>

/** Their parameters carry a right to the repository: they are stored sealed, and not after the end. */
const inLane = { lane: 'restic', isSecret: true } as const
export const backupTaskKinds = {
  'backup.run': { kind: 'backup.run', ...inLane, params: RunParams, result: RunResult },
  'backup.restore': { kind: 'backup.restore', ...inLane, params: RestoreParams, result: RestoreResult },
  'backup.check': { kind: 'backup.check', ...inLane, params: CheckParams, result: CheckResult },
  'backup.drill': { kind: 'backup.drill', ...inLane, params: DrillParams, result: DrillResult },
  /** Runs no restic: a long run of another backup does not hold it up. */
  'backup.reseal': { kind: 'backup.reseal', lane: 'control', params: ResealParams, result: ResealResult },
  /** Reads without a lock, as the owner waits for it. The question may carry the password. */
  'backup.look': { kind: 'backup.look', lane: 'control', isSecret: true, params: LookParams, result: LookResult },
  'backup.prune': { kind: 'backup.prune', ...inLane, params: PruneParams, result: PruneResult },
  'backup.password': { kind: 'backup.password', ...inLane, params: PasswordParams, result: PasswordResult },
} as const
