/**
 * The backups of a cluster as the agent of its master sees them, for its personal server: the backups that are kept,
 * and a right to read one repository. The agent lists their contents from the repository with the password that it
 * keeps: no file name passes the control plane.
 */
import { z } from 'zod'
import { BackupId } from '../backups/ids.ts'
import { defineCall } from '../wire/call.ts'
import { InstanceId, IsoTime, Millis } from '../wire/fields.ts'
import { ResticSnapshotId, TaskRepository } from './backup-tasks.ts'

/** Proof of the caller: the two parts of the agent channel's `Authorization` header. */
const proof = { instanceId: InstanceId, agentToken: z.string().regex(/^[\w-]{20,100}$/) }

/** Of each backup at most so many are reported, the newest. */
export const mostKeptReported = 1000

export const KeptBackups = z.array(
  z.object({
    backupId: BackupId,
    name: z.string(),
    /** Newest first. */
    snapshots: z.array(
      z.object({
        snapshotId: ResticSnapshotId,
        at: IsoTime,
        files: z.int().nonnegative(),
        bytes: z.int().nonnegative(),
      }),
    ),
  }),
)
export type KeptBackups = z.infer<typeof KeptBackups>

export const agentBackups = defineCall({
  name: 'agentBackups',
  path: '/v1/agent/backups',
  reach: 'anyone',
  rate: 'signIn',
  summary: 'The backups of the cluster that a master asks for, with what is kept of each.',
  body: z.strictObject(proof),
  data: z.object({ backups: KeptBackups }),
})

export const agentBackupGrant = defineCall({
  name: 'agentBackupGrant',
  path: '/v1/agent/backups/grant',
  reach: 'anyone',
  rate: 'signIn',
  summary: 'A right to read the repository of a backup, for the master of its cluster, for an hour.',
  body: z.strictObject({ ...proof, backupId: BackupId }),
  data: z.object({ repository: TaskRepository, until: Millis }),
})
