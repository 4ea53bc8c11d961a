import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { openHarness } from '../../billing/testing/billing-harness.ts'
import type { NewGrant, Vault } from '../index.ts'

/** An account with a cluster and a repository of its own. */
export interface VaultHarness {
  userid: string
  clusterId: string
  repositoryId: string
  /** For an hour. */
  grant(right: NewGrant['right'], more?: Partial<NewGrant>): Promise<{ url: string; grantId: string; token: string }>
}

export async function openVaultHarness(database: Database, vault: Vault, clock: Clock): Promise<VaultHarness> {
  const { db } = database
  const harness = await openHarness(database, { clock })
  const clusterId = await harness.insertCluster()
  const of = { accountId: harness.userid, clusterId }
  const { repositoryId } = await db.transaction().execute((trx) => vault.openRepository(trx, of))
  return {
    userid: harness.userid,
    clusterId,
    repositoryId,
    async grant(right, more = {}) {
      const until = new Date(clock.now().getTime() + 60 * 60_000)
      const asked = { repositoryId, right, taskId: newId('at'), until, ...more }
      return await db.transaction().execute((trx) => vault.grant(trx, asked))
    },
  }
}
