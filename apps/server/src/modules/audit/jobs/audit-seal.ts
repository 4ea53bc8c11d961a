import { defineSealJob, sealOf } from '../../../platform/chain/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import { sealName } from '../audit-chain.ts'

export interface SealDeps {
  db: Db
  clock: Clock
  sealer: Sealer
}

/**
 * Seals the head of the log every minute in which it moved, and says it in the server's log: who keeps those lines
 * elsewhere holds the database to them (`npm run audit:verify -- --head`). Safe to repeat.
 */
export function auditSeal({ db, clock, sealer }: SealDeps): Job {
  return defineSealJob('audit.seal', async ({ log }) => {
    const head = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
    if (head.seq === 0) return
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('audit_seals')
      .values({ ...head, mac: sealOf(sealer, sealName, head), at: clock.now() })
      .onConflict((conflict) => conflict.column('seq').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows) log.info({ head: `${head.seq}:${head.hash}` }, 'sealed the audit log')
  })
}
