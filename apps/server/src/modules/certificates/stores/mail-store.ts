/** Which certificates their owners had mail about. */
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type CertificateRow, unvisitedMs } from './certificate-store.ts'

const concerned = [
  ...(['id', 'domain', 'domain_name', 'names', 'not_before', 'not_after'] as const),
  ...(['problem_since', 'problem_fault', 'failing_mailed_at', 'ending_mailed_at'] as const),
] as const
export type ConcernedCertificate = Pick<CertificateRow, (typeof concerned)[number]>

/** Those that should be there and have failed since before `failedBefore`, or have a sixth of their life left. */
export async function listConcerned(db: Db, now: Date, failedBefore: Date): Promise<ConcernedCertificate[]> {
  const unvisitedBefore = new Date(now.getTime() - unvisitedMs)
  return await db
    .selectFrom('certificates')
    .select(concerned)
    .where('wanted', '=', true)
    // Those that nobody visits are not renewed.
    .where((from) => from.or([from('visited_at', 'is', null), from('visited_at', '>', unvisitedBefore)]))
    .where((from) =>
      from.or([
        from('problem_since', '<=', failedBefore),
        sql<boolean>`not_after - (not_after - not_before) / 6 <= ${now}`,
      ]),
    )
    .orderBy('domain')
    .orderBy('names')
    .execute()
}

/** False: somebody mailed them meanwhile, or they are gone. */
export async function setMailed(
  trx: Trx,
  ids: readonly string[],
  kind: 'failing' | 'ending',
  at: Date,
): Promise<boolean> {
  const column = kind === 'failing' ? 'failing_mailed_at' : 'ending_mailed_at'
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ [column]: at })
    .where('id', 'in', ids)
    .where(column, 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
