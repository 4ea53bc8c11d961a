import { sql } from 'kysely'
import { equalSecrets, type Sealer } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { type ChainedRecord, firstHash, hashOf, sealLabel } from './audit-chain.ts'

/** What was found: the chain is whole, or where it breaks first and why, in words. */
export type Verdict =
  | { whole: true; records: number; hash: string; sealedTo: number }
  | { whole: false; seq: number; problem: string }

const batch = 5000

type Seal = { seq: number; hash: string; mac: string }

/**
 * Reads the log from its first record to its last, in one snapshot, and tells the first record that is not what was
 * written. `known` is a head that was noted elsewhere. Without a `sealer` seals are compared and not authenticated.
 */
export async function verifyAudit(
  db: Db,
  { sealer, known }: { sealer: Sealer; known?: { seq: number; hash: string } | undefined },
): Promise<Verdict> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const seals = await trx.selectFrom('audit_seals').select(['seq', 'hash', 'mac']).orderBy('seq').execute()
      const forged = seals.find((seal) => !equalSecrets(seal.mac, sealer.derive(sealLabel(seal))))
      if (forged) return broken(forged.seq, `the seal on record ${forged.seq} was not made with this deployment's key`)
      const marks: Seal[] = known ? [...seals, { ...known, mac: '' }] : seals
      const expected = new Map(marks.map((mark) => [mark.seq, mark.hash]))

      const early = await trx.selectFrom('audit_records').select('seq').where('seq', '<', 1).executeTakeFirst()
      if (early) return broken(early.seq, `record ${early.seq} was never written by this log, which begins with 1`)
      let last = { seq: 0, hash: firstHash }
      for (;;) {
        const records = await listChained(trx, last.seq)
        for (const record of records) {
          const seq = last.seq + 1
          if (record.seq !== seq) return broken(seq, `record ${seq} is missing: ${record.seq} stands after ${last.seq}`)
          if (record.hash !== hashOf(last.hash, record)) return broken(seq, `record ${seq} is not what was written`)
          const mark = expected.get(seq)
          if (mark !== undefined && mark !== record.hash) {
            return broken(seq, `record ${seq} is not what was sealed: the log was written anew up to there`)
          }
          last = { seq, hash: record.hash }
        }
        if (records.length < batch) break
      }

      const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst()
      const end = Math.max(head?.seq ?? 0, ...marks.map((mark) => mark.seq))
      if (end > last.seq) return broken(last.seq + 1, `records ${last.seq + 1} to ${end} are missing at the end`)
      if (head && head.seq < last.seq) {
        return broken(
          head.seq + 1,
          `record ${head.seq + 1} was added behind the back of the log, which ends with ${head.seq}`,
        )
      }
      if (!head || head.hash !== last.hash) {
        return broken(last.seq, `the head of the log does not point to its last record, ${last.seq}`)
      }
      return { whole: true, records: last.seq, hash: last.hash, sealedTo: seals.at(-1)?.seq ?? 0 }
    })
}

function broken(seq: number, problem: string): Verdict {
  return { whole: false, seq, problem }
}

/** The records after `seq`, oldest first. A first record with a number below 1 was never written by us. */
async function listChained(db: Db, seq: number): Promise<ChainedRecord[]> {
  return await db
    .selectFrom('audit_records')
    .select([
      'seq',
      sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('at'),
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
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(batch)
    .execute()
}
