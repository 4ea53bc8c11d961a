import { sql } from 'kysely'
import { defineSealJob, sealOf, utcText } from '../../../platform/chain/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import '../ledger-tables.ts'
import { sealedChain } from '../ledger-chain.ts'

export interface SealDeps {
  db: Db
  clock: Clock
  sealer: Sealer
}

const batch = 1000

/** Seals, every minute, the end of each book that moved. Safe to repeat. */
export function ledgerSeal({ db, clock, sealer }: SealDeps): Job {
  return defineSealJob('ledger.seal', async ({ signal }) => {
    for (let more = true; more && !signal.aborted; ) {
      const heads = await db
        .selectFrom('ledger_books')
        .select(['userid', 'seq', 'hash'])
        .where('seq', '>', 0)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('ledger_seals')
                .select(sql`1`.as('one'))
                .whereRef('book', '=', 'userid')
                .whereRef('ledger_seals.seq', '=', 'ledger_books.seq'),
            ),
          ),
        )
        .limit(batch)
        .execute()
      const at = clock.now()
      const seals = heads.map(({ userid, ...head }) => ({
        book: userid,
        ...head,
        mac: sealOf(sealer, sealedChain(userid, utcText(at)), head),
        at,
      }))
      if (seals.length > 0)
        await db
          .insertInto('ledger_seals')
          .values(seals)
          .onConflict((on) => on.doNothing())
          .execute()
      more = heads.length === batch
    }
  })
}
