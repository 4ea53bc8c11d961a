import type { AuditAction, AuditFacts } from '@atoll/contract/audit'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'

interface SystemAct {
  caller: Caller
  action: Extract<AuditAction, `system.${string}`>
  /** Of what it was done to. */
  id: string
  before?: AuditFacts
  after?: AuditFacts
}

/** Records an act of staff on the deployment itself, which has no owner: in their own activity. */
export async function recordSystem(trx: Trx, { caller, action, id, ...facts }: SystemAct): Promise<void> {
  const object = { kind: 'system' as const, id, owner: caller.userid }
  await recordAudit(trx, { actor: caller, ip: caller.ip, action, object, ...facts })
}
