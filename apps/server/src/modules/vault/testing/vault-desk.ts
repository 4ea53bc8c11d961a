import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/index.ts'
import { openDesk } from '../../billing/testing/billing-desk.ts'
import type { NewGrant, Vault } from '../index.ts'

/** An account with a cluster and a repository of its own. */
export interface VaultDesk {
  userid: string
  clusterId: string
  repositoryId: string
  /** For an hour. */
  grant(right: NewGrant['right'], more?: Partial<NewGrant>): Promise<{ url: string; grantId: string; token: string }>
}

export async function openVaultDesk(database: Database, vault: Vault, clock: Clock): Promise<VaultDesk> {
  const { db } = database
  const desk = await openDesk(database, { clock })
  const clusterId = await desk.insertCluster()
  const of = { accountId: desk.userid, clusterId }
  const { repositoryId } = await db.transaction().execute((trx) => vault.openRepository(trx, of))
  return {
    ...{ userid: desk.userid, clusterId, repositoryId },
    async grant(right, more = {}) {
      const until = new Date(clock.now().getTime() + 60 * 60_000)
      const asked = { repositoryId, right, taskId: newId('at'), until, ...more }
      return await db.transaction().execute((trx) => vault.grant(trx, asked))
    },
  }
}
