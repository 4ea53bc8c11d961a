/**
 * Verifies the chain of the log. Records from before commitments existed are in it twice: by their commitments, as all
 * are, and by their plain fields under the hashes that they had then. The second chain is followed for as long as those
 * fields are there; it must meet the seals of that time and end where the record `log.convert` says. A record without
 * its personal fields is valid where a later record, an erasure, names it; one that lost only its actor is compared
 * with the commitment that the erasure gave it.
 */
import {
  type ChainBreak,
  type ChainWalk,
  createChainWalk,
  exactUtc,
  firstHash,
  type Mark,
  readSeals,
  type SealedChain,
} from '../../platform/chain/index.ts'
import type { Sealer } from '../../platform/crypto.ts'
import { type Db, inSnapshot, type Trx } from '../../platform/db/index.ts'
import {
  ascendingIn,
  type ChainedRecord,
  commitmentOf,
  hashOf,
  plainHashOf,
  plainSealName,
  type Replaced,
  replacedHash,
  sealName,
  spansIn,
} from './audit-chain.ts'
import { findApprovalFault } from './verify-approval.ts'

/** The result: the chain is whole, or where it breaks first and why, in words. */
export type Verdict =
  | { whole: true; records: number; erased: number; hash: string; sealedTo: number }
  | { whole: false; seq: number; problem: string }

const batch = 5000

/** The chains of the log that a seal may be on: its own, or the one from before commitments. */
export const chainsOf = (): readonly SealedChain[] => [sealName, plainSealName]

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
    const read = await readSeals(trx, sealer, seals, chainsOf)
    const onChain = (name: SealedChain) => read.filter(({ chain }) => chain === name).map(({ seal }) => seal)
    const [sealed, plainSealed] = [onChain(sealName), onChain(plainSealName)]
    const forged = read.find(({ chain }) => chain === undefined)?.seal
    if (forged) return broken(forged.seq, `the seal on record ${forged.seq} was not made with this deployment's key`)

    const converted = await findConverted(trx)
    const isOld = known && converted && known.seq <= converted.seq
    const walk = createChainWalk('record', { first: firstHash, marks: known && !isOld ? [...sealed, known] : sealed })
    const plain = createPlainWalk(converted, isOld ? [...plainSealed, known] : plainSealed, known)
    const isErased = ascendingIn(await listErased(trx))
    const approvals = new Set<string>()
    const replacements = readReplaced(await listReplaced(trx))
    let erased = 0
    for (let from: number | undefined; ; from = walk.last.seq) {
      const records = await listChained(trx, from)
      for (const record of records) {
        const found =
          takeRecord(walk, record, { isErased, ...replacements }) ?? plain.take(record, replacements.of(record))
        if (found) return { whole: false, ...found }
        if (record.personal === null) erased += 1
        const fault = await findApprovalFault(record, approvals)
        if (fault) return broken(record.seq, fault)
      }
      if (records.length < batch) break
    }
    const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst()
    const found = walk.end(head) ?? plain.end()
    if (found) return { whole: false, ...found }
    const orphan = replacements.findOrphan(walk.last.seq)
    if (orphan !== undefined) return broken(orphan, `record ${orphan} is no erasure that could change others`)
    return { whole: true, records: walk.last.seq, erased, hash: walk.last.hash, sealedTo: seals.at(-1)?.seq ?? 0 }
  })
}

function broken(seq: number, problem: string): Verdict {
  return { whole: false, seq, problem }
}

function takeRecord(
  walk: ChainWalk,
  record: ChainedRecord,
  { isErased, of, hashAt }: { isErased: (seq: number) => boolean } & Replacements,
): ChainBreak | undefined {
  const found = walk.take(record, hashOf(walk.last.hash, record))
  if (found) return found
  const { seq, personal } = record
  if (hashAt(seq) !== record.replaced)
    return { seq, problem: `record ${seq} is an erasure, and what it left of others is not what was written` }
  const commitment = of(record) ?? record.commitment
  const gone = isErased(seq)
  if (personal === null)
    return gone ? undefined : { seq, problem: `record ${seq} has lost what it says of people, and no erasure says so` }
  return commitmentOf(personal) === commitment ? undefined : { seq, problem: `record ${seq} is not what was written` }
}

/**
 * Follows the chain of plain fields up to `converted`, its end as the log kept it, or to the first record without them.
 */
function createPlainWalk(converted: Mark | undefined, marks: readonly Mark[], known: Mark | undefined) {
  const walk = createChainWalk('record', { first: firstHash, marks })
  let isEnded = converted === undefined && marks.length === 0
  /** From the first erased record on nothing more can be compared, but for a noted head that is the chain's end. */
  const giveUp = (at: number): ChainBreak | undefined => {
    isEnded = true
    if (!known || known.seq < at || !marks.includes(known)) return undefined
    if (known.seq === converted?.seq && known.hash === converted.hash) return undefined
    const problem = `the noted head is from before the personal fields of record ${at} were erased: note a newer one`
    return { seq: at, problem }
  }
  return {
    take(record: ChainedRecord, replaced: string | undefined): ChainBreak | undefined {
      if (isEnded) return undefined
      if (converted && record.seq > converted.seq) {
        isEnded = true
        const found = walk.end(converted)
        return found && { ...found, problem: `${found.problem}, as they were before the log was converted` }
      }
      if (record.personal === null || replaced !== undefined) return giveUp(record.seq)
      const hash = plainHashOf(walk.last.hash, record, record.personal)
      return walk.take({ seq: record.seq, hash }, hash)
    },
    end(): ChainBreak | undefined {
      const seq = Math.max(...marks.map((mark) => mark.seq)) + 1
      return isEnded ? undefined : { seq, problem: 'the record of the conversion of the log is missing' }
    },
  }
}

interface Replacements {
  /** The commitment that the newest erasure gave a record; undefined: it has its own. */
  of(record: Pick<ChainedRecord, 'seq'>): string | undefined
  /** The hash that the erasure of this number has to have over all commitments that it gave; null: it gave none. */
  hashAt(erasure: number): string | null
}

/** `rows` in the order of erasures, and of records in each. */
function readReplaced(rows: readonly Replaced[]): Replacements & { findOrphan(last: number): number | undefined } {
  const byErasure = Map.groupBy(rows, ({ erasure }) => erasure)
  const newest = new Map(rows.map(({ record, commitment }) => [record, commitment]))
  return {
    of: ({ seq }) => newest.get(seq),
    hashAt(erasure) {
      const own = byErasure.get(erasure)
      return own ? replacedHash(own) : null
    },
    // An erasure changes what came before it, and is a record itself.
    findOrphan: (last) => rows.find(({ record, erasure }) => record >= erasure || erasure > last)?.erasure,
  }
}

/** Where the chain of plain fields ended, as the log's record of its conversion says. */
async function findConverted(trx: Trx): Promise<Mark | undefined> {
  const record = await trx
    .selectFrom('audit_entries')
    .select('before')
    .where('action', '=', 'log.convert')
    .orderBy('seq')
    .executeTakeFirst()
  const [, seq, hash] = /^\{"head" ?: ?"(\d{1,15}):([0-9a-f]{64})"\}$/.exec(record?.before ?? '') ?? []
  return seq !== undefined && hash !== undefined ? { seq: Number(seq), hash } : undefined
}

/** The records whose personal fields went with a later record. */
async function listErased(trx: Trx) {
  const records = await trx
    .selectFrom('audit_records')
    .select(['seq', 'erased'])
    .where('erased', 'is not', null)
    .orderBy('seq')
    .execute()
  return records.flatMap(({ seq, erased }) => spansIn(erased ?? '').filter(([, last]) => last < seq))
}

async function listReplaced(trx: Trx): Promise<Replaced[]> {
  return await trx
    .selectFrom('audit_replaced')
    .select(['record', 'erasure', 'commitment'])
    .orderBy('erasure')
    .orderBy('record')
    .execute()
}

/** The records after `seq`, oldest first; left out: from the first one on, a number below 1 included. */
async function listChained(trx: Trx, seq: number | undefined): Promise<ChainedRecord[]> {
  let query = trx
    .selectFrom('audit_records as record')
    .leftJoin('audit_personal as personal', 'personal.record', 'record.seq')
    .select(['record.seq', exactUtc('record.at').as('at'), 'record.session_id', 'record.action', 'record.object_kind'])
    .select(['record.commitment', 'record.erased', 'record.replaced', 'record.hash'])
    .select(['salt', 'actor', 'ip', 'object_id', 'object_name', 'owner', 'before', 'after'])
    .orderBy('record.seq')
    .limit(batch)
  if (seq !== undefined) query = query.where('record.seq', '>', seq)
  const rows = await query.execute()
  return rows.map(({ salt, actor, ip, object_id, object_name, owner, before, after, ...record }) => ({
    ...record,
    personal:
      salt === null || object_id === null ? null : { salt, actor, ip, object_id, object_name, owner, before, after },
  }))
}
