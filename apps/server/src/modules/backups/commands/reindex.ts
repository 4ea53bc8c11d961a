/** After the database was brought back from an older copy: rows of all that the vault holds and it does not know. */
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { type Reindexed, reindexVault, type VaultPlace } from '../../vault/index.ts'
import { enqueueReconcile, findOpenWork, lockBackup } from '../records/backup-store.ts'
import { adoptFoundSnapshots } from '../records/found-snapshots.ts'
import { makePlanOf } from '../records/plan-file-store.ts'

/** `sealer`: of the secret key of the deployment that wrote the vault. Safe to repeat, and beside running servers. */
export async function reindexBackups({
  db,
  place,
  sealer,
  now,
}: {
  db: Db
  place: VaultPlace
  sealer: Pick<Sealer, 'accepts'>
  now: Date
}): Promise<Reindexed & { snapshots: number }> {
  const found = await reindexVault({ db, place, now, makePlan: (trx, of) => makePlanOf(trx, sealer, of, now) })
  const backups = await db.selectFrom('backups').select('id').where('state', 'in', ['active', 'paused']).execute()
  let snapshots = 0
  for (const { id } of backups) snapshots += await adopt(db, id, now)
  return { ...found, snapshots }
}

async function adopt(db: Db, id: string, now: Date): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const backup = await lockBackup(trx, id)
    // The reconciler does it once the run that is under way has ended.
    if (!backup || (await findOpenWork(trx, id)).run) return 0
    const adopted = await adoptFoundSnapshots(trx, backup, now)
    if (adopted === 0) return 0
    await publishChange(trx, { account: backup.owner, topic: 'backup', id })
    await enqueueReconcile(trx, id)
    return adopted
  })
}
