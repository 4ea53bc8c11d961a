import type { AuditAction, AuditFacts } from '@atoll/contract/audit'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'

/** Records an act of staff in the activity of `owner`: the customer that it is about, or else the staff member. */
export async function recordStaff(
  trx: Trx,
  action: Extract<AuditAction, `support.${string}`>,
  {
    owner,
    caller,
    before,
    facts,
  }: {
    owner: string
    caller: Caller
    before?: AuditFacts
    facts: AuditFacts
  },
): Promise<void> {
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    object: { kind: 'support', id: owner, owner },
    ...(before && { before }),
    after: facts,
  })
}
