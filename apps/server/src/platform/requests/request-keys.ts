/**
 * Idempotency of calls by the client's `requestId`: the first answer is kept 24 h and repeated. The key is written in
 * the same transaction as the call's effect, so either both are there or none; a second request at the same instant
 * waits for the first one's transaction.
 */
import type { ColumnType } from 'kysely'
import type { Clock } from '../clock.ts'
import { sha256Hex } from '../crypto.ts'
import type { Db, Trx } from '../db/index.ts'
import { refuse } from '../refusal.ts'

interface RequestKeysTable {
  owner: string
  key: string
  body_hash: string
  /** Null only inside the transaction that makes the answer. */
  answer: ColumnType<unknown, string | null | undefined, string>
  created_at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    request_keys: RequestKeysTable
  }
}

/** How long an answer is repeated, ms (design/api). */
export const requestKeyLifetimeMs = 24 * 60 * 60_000

export interface KeyedRequest {
  owner: string
  call: string
  body: { requestId?: string | undefined }
}

/**
 * Runs `act` in a transaction, or returns the answer that was given before under the same key. Refuses with
 * `requestIdReused` when the key came with another call or body. A refusal of `act` is not stored: the same request may
 * succeed later. `renew` reads a stored answer again, for calls whose outcome changes after the answer, such as a
 * payment under way.
 */
export async function once<Answer extends object>(
  { db, clock }: { db: Db; clock: Clock },
  request: KeyedRequest,
  act: (trx: Trx) => Promise<Answer>,
  renew?: (trx: Trx, kept: Answer) => Promise<Answer>,
): Promise<Answer> {
  const { requestId: key, ...body } = request.body
  return await db.transaction().execute(async (trx) => {
    if (key === undefined) return await act(trx)
    const bodyHash = sha256Hex(JSON.stringify([request.call, Object.entries(body).sort(byName)]))
    const at = clock.now()
    const { owner } = request
    await trx
      .deleteFrom('request_keys')
      .where('owner', '=', owner)
      .where('key', '=', key)
      .where('created_at', '<', new Date(at.getTime() - requestKeyLifetimeMs))
      .execute()
    const inserted = await trx
      .insertInto('request_keys')
      .values({ owner, key, body_hash: bodyHash, created_at: at })
      .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) {
      const kept = await repeatAnswer<Answer>(trx, owner, key, bodyHash)
      return renew ? await renew(trx, kept) : kept
    }
    const answer = await act(trx)
    await trx
      .updateTable('request_keys')
      .set({ answer: JSON.stringify(answer) })
      .where('owner', '=', owner)
      .where('key', '=', key)
      .execute()
    return answer
  })
}

async function repeatAnswer<Answer extends object>(
  trx: Trx,
  owner: string,
  key: string,
  bodyHash: string,
): Promise<Answer> {
  const earlier = await trx
    .selectFrom('request_keys')
    .select(['body_hash', 'answer'])
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (earlier.body_hash !== bodyHash) refuse('requestIdReused')
  // The same call wrote it from this very type.
  return earlier.answer as Answer
}

export async function deleteRequestKeysBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('request_keys').where('created_at', '<', before).execute()
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
