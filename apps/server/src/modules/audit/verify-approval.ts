import { approvedActOf, SignedApproval } from '@atoll/contract/staff'
import { JwsRefusal, verifyJws } from '@atoll/did'
import type { ChainedRecord } from './audit-chain.ts'

/**
 * What is wrong with the signature over an act that has to be approved in the wallet, in words; undefined: nothing, or
 * the act needs none.
 */
export async function findApprovalFault({ action, personal, seq }: ChainedRecord): Promise<string | undefined> {
  const act = approvedActOf(action)
  // An erased record says nothing of anybody; without an actor it was a command of the operator's, on the machine.
  if (act === undefined || personal === null || personal.actor === null) return undefined
  const { actor, after } = personal
  const facts: { approval?: unknown } = after === null ? {} : JSON.parse(after)
  if (typeof facts.approval !== 'string') return `record ${seq}, ${action}, carries no approval`
  try {
    const { did, payload } = await verifyJws(facts.approval)
    const signed = SignedApproval.safeParse(payload).data
    if (did !== actor) return `the approval in record ${seq} was signed by another key than that of who acted`
    if (signed?.act !== act) return `the approval in record ${seq} was signed for another act than ${act}`
    return undefined
  } catch (error) {
    if (!(error instanceof JwsRefusal)) throw error
    return `the approval in record ${seq} is not sound: ${error.message}`
  }
}
