/** The calls by which a personal server asks after its owner's plan: `plan/usage` in whole bytes. */
import type { backupUsage, MeteredProduct, trafficUsage } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate } from '../../catalog/index.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'

type SizeDeps = CurrentUsageDeps & { db: Db }

const bytesPerMicro = 1000n

export async function readTrafficSizes(deps: SizeDeps, userid: string): Promise<CallData<typeof trafficUsage>> {
  const { one } = await readSizes(deps, userid, 'cloud_traffic')
  return { totalSize: toBytes(one?.quota), usedSize: toBytes(one?.used), overageSize: toBytes(one?.overage) }
}

/** May copy more: what the plan includes is not used up, or what is above it is charged for. */
export async function readBackupSizes(deps: SizeDeps, userid: string): Promise<CallData<typeof backupUsage>> {
  const { one, terms } = await readSizes(deps, userid, 'cloud_backup')
  const isOpen = !one || (one.state !== 'limited' && one.state !== 'frozen')
  const hasRoom =
    !one || one.counted < one.limit || (terms !== undefined && overageRate(terms, 'cloud_backup') !== undefined)
  return {
    totalSize: toBytes(one?.quota),
    usageSize: toBytes(one?.used),
    canBackup: isOpen && hasRoom,
    planLevel: terms?.level ?? 0,
  }
}

async function readSizes(deps: SizeDeps, userid: string, wanted: MeteredProduct) {
  const { products, terms } = await readCurrentUsage(deps, deps.db, userid)
  return { one: products.find(({ product }) => product === wanted), terms }
}

/** Of 10^-6 GB; undefined: no plan says. */
function toBytes(micros = 0n): number {
  return Number(micros * bytesPerMicro)
}
