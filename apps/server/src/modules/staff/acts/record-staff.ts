import type { AuditAction } from '@atoll/contract/audit'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'

/** Records what staff did to a customer, who reads it in their activity. */
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
    before?: Record<string, string>
    facts: Record<string, string>
  },
): Promise<void> {
  await recordAudit(trx, {
    ...{ actor: caller, ip: caller.ip, action },
    object: { kind: 'support', id: owner, owner },
    ...(before && { before }),
    after: facts,
  })
}
