/**
 * Whether this database knows every instance at a provider. Both keep a number that grows before an instance is made
 * and with each sweep: the row first, then the provider's claim. A claim is read before the row, so the row of the
 * database that wrote it is never smaller, however many workers there are.
 *   behind    the claim is ahead: this database was restored, or another one from the same dump is at work
 *   stranger  the claim is another deployment's
 * While either holds, number and claim stay as they are and nothing is swept, until the operator says to go on.
 */
import { type Generated, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { ProviderClaim, ProviderPlace } from '../../compute/index.ts'
import { forgetStrays } from './stray-store.ts'

export type ClaimProblem = 'behind' | 'stranger'

interface ProviderClaimsTable {
  place: string
  /** bigint, which `pg` gives as text. */
  number: Generated<string>
  problem: ClaimProblem | null
  resume: Generated<boolean>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    provider_claims: ProviderClaimsTable
  }
}

/**
 * Counts one more change at the provider and leaves the new number there. Answers why it did not; undefined when it
 * did, or when the provider keeps no claims. Throws what the provider throws.
 */
export async function renewClaim(
  db: Db,
  { place, provider }: ProviderPlace,
  deployment: string,
): Promise<ClaimProblem | undefined> {
  if (!provider.claims) return undefined
  const claim = await provider.claims.read()
  const row = await db.selectFrom('provider_claims').selectAll().where('place', '=', place).executeTakeFirst()
  const problem = problemOf(claim, Number(row?.number ?? 0), deployment)
  if (problem && !row?.resume) {
    await saveProblem(db, place, problem)
    return problem
  }
  // What was found before the operator's word may be of another time: its days are counted anew.
  if (row?.resume) await forgetStrays(db, place)
  await provider.claims.write({ deployment, number: await countUp(db, place, claim?.number ?? 0) })
  return undefined
}

function problemOf(claim: ProviderClaim | undefined, known: number, deployment: string): ClaimProblem | undefined {
  if (!claim) return undefined
  if (claim.deployment !== deployment) return 'stranger'
  return claim.number > known ? 'behind' : undefined
}

async function saveProblem(db: Db, place: string, problem: ClaimProblem): Promise<void> {
  await db
    .insertInto('provider_claims')
    .values({ place, problem })
    .onConflict((conflict) => conflict.column('place').doUpdateSet({ problem }))
    .execute()
}

/** The next number, past `least` too. */
async function countUp(db: Db, place: string, least: number): Promise<number> {
  const { number } = await db
    .insertInto('provider_claims')
    .values({ place, problem: null, number: String(least + 1) })
    .onConflict((conflict) =>
      conflict.column('place').doUpdateSet({
        problem: null,
        resume: false,
        number: sql<string>`greatest(provider_claims.number + 1, excluded.number)`,
      }),
    )
    .returning('number')
    .executeTakeFirstOrThrow()
  return Number(number)
}

export interface PausedSweep {
  place: string
  problem: ClaimProblem
}

/** Where nothing is swept, and why. */
export async function listPausedSweeps(db: Db): Promise<PausedSweep[]> {
  const rows = await db
    .selectFrom('provider_claims')
    .select(['place', 'problem'])
    .where('problem', 'is not', null)
    .orderBy('place')
    .execute()
  return rows.flatMap(({ place, problem }) => (problem === null ? [] : [{ place, problem }]))
}

/** Why nothing is swept there, for an operator. */
export function describePause({ place, problem }: PausedSweep): string {
  const why = {
    behind: 'this database is older than what it finds there: restored, or at work beside the one it was copied from',
    stranger: 'the instances there belong to another deployment',
  }[problem]
  return `Nothing is swept at "${place}": ${why}. See docs/operator/backup-and-restore.md`
}
