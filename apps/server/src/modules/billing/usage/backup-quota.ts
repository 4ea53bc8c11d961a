import type { Db } from '../../../platform/db/index.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { quotaOfProduct } from './metered-products.ts'

const bytesPerMicro = 1000n

/**
 * Bytes of backups that an account may keep now: what its plan includes; null: as many as it likes, because more is
 * charged, or because no plan says what is included. While nothing more is
 * charged (the spend cap, means, a bill that is not paid) it is what the plan includes.
 */
export async function readBackupQuota(deps: CurrentUsageDeps, db: Db, userid: string): Promise<number | null> {
  const { terms, stop, products } = await readCurrentUsage(deps, db, userid)
  const backup = products.find(({ product }) => product === 'cloud_backup')
  if (!terms || !backup) return null
  if (terms.overage.cloud_backup !== undefined && stop === undefined) return null
  // Of bytes that are held now, whenever the plan began.
  return Number(quotaOfProduct(terms.quotas, 'cloud_backup') * bytesPerMicro)
}
