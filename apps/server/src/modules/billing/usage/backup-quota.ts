import type { Db } from '../../../platform/db/index.ts'
import { isPastDue } from '../renewals/dunning-store.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'

const bytesPerMicro = 1000n

/**
 * Bytes of backups that an account may keep now: what its plan includes; null: as many as it likes, because more is
 * charged, or because no plan says what is included. Once the spend cap is reached or a bill is past due nothing more
 * is charged.
 */
export async function readBackupQuota(deps: CurrentUsageDeps, db: Db, userid: string): Promise<number | null> {
  const { terms, cap, amount, products } = await readCurrentUsage(deps, db, userid)
  const backup = products.find(({ product }) => product === 'cloud_backup')
  if (!terms || !backup) return null
  const isFrozen = (cap !== undefined && amount.minor >= cap.minor) || (await isPastDue(db, userid))
  if (terms.overage.cloud_backup !== undefined && !isFrozen) return null
  return Number(backup.quota * bytesPerMicro)
}
