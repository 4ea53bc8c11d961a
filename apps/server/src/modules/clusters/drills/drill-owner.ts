import { randomBytes } from 'node:crypto'
import { identityFromPrivateKey } from '@atoll/did'
import type { Trx } from '../../../platform/db/index.ts'
import { drillOwnerFact, findFact, keepFact } from '../../../platform/facts/index.ts'
import { insertAccount } from '../../accounts/index.ts'

/**
 * The account that clusters of drills belong to, made with the first of them. Its private key is never kept: nobody can
 * sign in as it, activate what is its, or be notified.
 */
export async function keepDrillOwner(trx: Trx, at: Date): Promise<string> {
  const kept = await findFact(trx, drillOwnerFact)
  if (kept !== undefined) return kept
  // Kept before the account is made: of two first drills at once, the second waits here and takes the first one's.
  const made = `ac_${randomBytes(16).toString('hex')}`
  const userid = await keepFact(trx, drillOwnerFact, made)
  const { did } = identityFromPrivateKey(randomBytes(32))
  if (userid === made) await insertAccount(trx, { userid, did, canCreateCluster: false, at })
  return userid
}
