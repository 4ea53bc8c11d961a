/**
 * The recipe of every change that a person asks of a backup, in one transaction; nothing is called outside.
 *   once      the same request key again gives the first answer
 *   lock      the account, then the backup: always in this order
 *   change    rows say what is wanted; the reconciler, enqueued, does it
 *   publish   one audit record, one change for everybody who watches the account
 * Only the owner sees or changes a backup: not even an Admin, since it leads to the owner's files.
 */
import type { AuditFacts } from '@atoll/contract/audit'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { type AuditEntry, recordAudit } from '../../audit/index.ts'
import type { Asker } from '../../clusters/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { enqueueReconcile, lockOwnBackup } from '../records/backup-store.ts'
import type { BackupRow } from '../tables.ts'

export interface BackupCommand {
  trx: Trx
  caller: Caller
  backup: BackupRow
  at: Date
}

type Action = Extract<AuditEntry, { object: { kind: 'backup' } }>['action']
interface Facts {
  before?: AuditFacts
  after?: AuditFacts
}

export interface OfBackup {
  backupId: string
  requestId?: string | undefined
}

/** Runs `act` with the account and the backup locked; refuses one that is not the caller's. */
export async function runBackupCommand<Answer extends object>(
  deps: BackupDeps,
  caller: Caller,
  { call, body }: { call: string; body: OfBackup },
  act: (command: BackupCommand) => Promise<Answer>,
): Promise<Answer> {
  return await once(deps, { owner: caller.userid, call, body }, async (trx) => {
    await deps.lockAccount(trx, caller.userid)
    const backup = await lockOwnBackup(trx, caller.userid, body.backupId)
    if (!backup) return refuse('notFound', { object: 'backup' })
    const answer = await act({ trx, caller, backup, at: deps.clock.now() })
    await enqueueAndPublish(trx, backup)
    return answer
  })
}

/** Enqueues a reconcile of the backup, and publishes the change to its owner. */
export async function enqueueAndPublish(trx: Trx, { id, owner }: Pick<BackupRow, 'id' | 'owner'>): Promise<void> {
  await enqueueReconcile(trx, id)
  await publishChange(trx, { account: owner, topic: 'backup', id })
}

export async function auditBackup(
  { trx, caller, backup }: { trx: Trx; caller: Asker; backup: BackupRow },
  action: Action,
  { before, after }: Facts = {},
): Promise<void> {
  const object = { kind: 'backup', id: backup.id, owner: backup.owner, name: backup.name } as const
  await recordAudit(trx, { actor: caller, ip: caller.ip, action, object, before: before ?? null, after: after ?? null })
}

/** Refuses what cannot be asked of a backup that is on its way out. */
export function requireLiving({ state }: BackupRow): void {
  if (state === 'deleting') refuse('backupDeleting')
}
