import { approvedActOf, SignedApproval } from '@atoll/contract/staff'
import { JwsRefusal, verifyJws } from '@atoll/did'
import { formatMajorUnits, money } from '@atoll/money'
import type { z } from 'zod'
import type { ChainedRecord } from './audit-chain.ts'

/**
 * The fault of the signature over an act that has to be approved in the wallet, in words; undefined: none, or the act
 * needs no approval. `used`: the approvals in the records before it; this one is added.
 */
export async function findApprovalFault(
  { action, personal, seq }: ChainedRecord,
  used: Set<string>,
): Promise<string | undefined> {
  const act = approvedActOf(action)
  // An erased record says nothing of anybody; without an actor it was a command of the operator's, on the machine.
  if (act === undefined || personal === null || personal.actor === null) return undefined
  const { actor, after, object_id: objectId } = personal
  const facts: Facts = after === null ? {} : JSON.parse(after)
  if (typeof facts.approval !== 'string') return `record ${seq}, ${action}, carries no approval`
  try {
    const { did, payload } = await verifyJws(facts.approval)
    const signed = SignedApproval.safeParse(payload).data
    if (did !== actor) return `the approval in record ${seq} was signed by another key than that of who acted`
    if (signed?.act !== act) return `the approval in record ${seq} was signed for another act than ${act}`
    if (used.has(signed.nonce)) return `the approval in record ${seq} was used in a record before it`
    used.add(signed.nonce)
    if (!says(signed, { facts, objectId, action }))
      return `record ${seq}, ${action}, says another thing than its approval`
    return undefined
  } catch (error) {
    if (!(error instanceof JwsRefusal)) throw error
    return `the approval in record ${seq} is not sound: ${error.message}`
  }
}

type Facts = Partial<Record<'approval' | 'reason' | 'amount' | 'currency' | 'staff' | 'version', unknown>>

/** Whether a record tells of what was signed: why, of whom, how much; of roles, which; of rollouts, what version. */
function says(
  { reason, customer, amount, currency, object }: z.infer<typeof SignedApproval>,
  { facts, objectId, action }: { facts: Facts; objectId: string; action: string },
): boolean {
  if (facts.reason !== reason) return false
  if (!action.startsWith('support.')) return (facts.staff ?? 'end') === object
  // About no customer: the record names the rollout, what was signed its kind and version.
  if (action.startsWith('support.rollout')) return object.split(' ')[1] === facts.version
  if (/^support\.(stop|restart|repair|destroy)$/.test(action) && `support.${object.split(' ')[0]}` !== action)
    return false
  const sum = amount === undefined || !currency ? undefined : formatMajorUnits(money(amount, currency))
  return objectId === customer && facts.amount === sum && facts.currency === currency
}
