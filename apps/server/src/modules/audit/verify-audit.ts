import { createChainWalk, exactUtc, firstHash, isSealOf, type Mark } from '../../platform/chain/index.ts'
import type { Sealer } from '../../platform/crypto.ts'
import { type Db, inSnapshot } from '../../platform/db/index.ts'
import { type ChainedRecord, hashOf } from './audit-chain.ts'

/** What was found: the chain is whole, or where it breaks first and why, in words. */
export type Verdict =
  | { whole: true; records: number; hash: string; sealedTo: number }
  | { whole: false; seq: number; problem: string }

const batch = 5000

/**
 * Reads the log from its first record to its last, in one snapshot, and returns the first record that is not what was
 * written. `known` is a head that was noted elsewhere.
 */
export async function verifyAudit(
  db: Db,
  { sealer, known }: { sealer: Sealer; known?: Mark | undefined },
): Promise<Verdict> {
  return await inSnapshot(db, async (trx) => {
    const seals = await trx.selectFrom('audit_seals').select(['seq', 'hash', 'mac']).orderBy('seq').execute()
    const forged = seals.find((seal) => !isSealOf(sealer, 'audit', seal, seal.mac))
    if (forged) return broken(forged.seq, `the seal on record ${forged.seq} was not made with this deployment's key`)

    const walk = createChainWalk('record', { first: firstHash, marks: known ? [...seals, known] : seals })
    for (let from: number | undefined; ; from = walk.last.seq) {
      const records = await listChained(trx, from)
      for (const record of records) {
        const found = walk.take(record, hashOf(walk.last.hash, record))
        if (found) return { whole: false, ...found }
      }
      if (records.length < batch) break
    }
    const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst()
    const found = walk.end(head)
    if (found) return { whole: false, ...found }
    return { whole: true, records: walk.last.seq, hash: walk.last.hash, sealedTo: seals.at(-1)?.seq ?? 0 }
  })
}

function broken(seq: number, problem: string): Verdict {
  return { whole: false, seq, problem }
}

/** The records after `seq`, oldest first; left out: from the first one on, a number below 1 included. */
async function listChained(db: Db, seq: number | undefined): Promise<ChainedRecord[]> {
  let query = db
    .selectFrom('audit_records')
    .select([
      'seq',
      exactUtc('at').as('at'),
      'actor',
      'session_id',
      'ip',
      'action',
      'object_kind',
      'object_id',
      'object_name',
      'owner',
      'before',
      'after',
      'hash',
    ])
    .orderBy('seq')
    .limit(batch)
  if (seq !== undefined) query = query.where('seq', '>', seq)
  return await query.execute()
}
