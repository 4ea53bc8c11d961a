/** After a restore, accounts that were erased since the backup are there again: they are erased before it goes on. */
import { readErased } from '../../platform/careful/index.ts'
import { newId } from '../../platform/crypto.ts'
import { findDid, insertHold } from '../accounts/index.ts'
import { findClosing } from './closing-service.ts'
import { type EraseDeps, eraseAccount, pseudonymOf } from './erase-account.ts'
import { noteErasure } from './stores/erasure-store.ts'

/** Erases them again, and has a job end whatever else of them came back; returns how many they were. */
export async function eraseAgain(deps: EraseDeps): Promise<number> {
  const { db, config, clock } = deps
  let count = 0
  for (const { accountId, at } of await readErased(config.dataDir)) {
    const did = await findDid(db, accountId)
    if (did === undefined || did === pseudonymOf(accountId)) continue
    await db.transaction().execute(async (trx) => {
      await noteErasure(trx, accountId, { reminded_at: at })
      if (await findClosing(trx, accountId)) return
      await insertHold(trx, {
        id: newId('hd'),
        account_id: accountId,
        cluster_id: null,
        scope: 'servers',
        reason: 'closing',
        text: '',
        answer_by: null,
        until: at,
        held_by: accountId,
        held_at: clock.now(),
      })
    })
    await eraseAccount(deps, { accountId, at, isLast: false })
    count += 1
  }
  return count
}
