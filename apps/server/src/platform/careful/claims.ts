/**
 * Whether this database knows everything at a place that is outside of it: a provider of instances, a vault. Both keep
 * a number that grows before each act there and with each sweep: the row first, then the place's claim. A claim is read
 * before the row, so the row of the database that wrote it is never smaller, however many processes there are.
 *   behind    the claim is ahead: this database was restored, or another one from the same dump is at work. It makes
 *             the deployment careful
 *   stranger  the claim is another deployment's
 *   missing   there is none though one was left, and things are known to be there: another disk may be in its place
 * While either holds, number and claim stay as they are and nothing is swept, until the operator says to go on.
 *
 * The claim also says how many series of documents were begun (`R1` after the first resumption): a database that is
 * brought back from before a resumption is not to begin the same series once more.
 */
import { type Generated, sql } from 'kysely'
import type { Db, Trx } from '../db/index.ts'
import { beCareful, countResumptions } from './careful.ts'

export type ClaimProblem = 'behind' | 'stranger' | 'missing'

export interface Claim {
  /** The id of the deployment at work there. */
  deployment: string
  number: number
  /** The last series of documents that was begun; absent: none was, or this place does not keep it. */
  series?: number | undefined
}

/** Where the place keeps its claim; `write` never makes the number of the same deployment smaller. */
export interface Claims {
  read(): Promise<Claim | undefined>
  write(claim: Claim): Promise<void>
}

interface ClaimsTable {
  place: string
  /** bigint, which `pg` gives as text. */
  number: Generated<string>
  problem: ClaimProblem | null
  resume: Generated<boolean>
  series: Generated<number>
}

declare module '../db/index.ts' {
  interface Tables {
    claims: ClaimsTable
  }
}

/**
 * Counts one more change at the place and leaves the new number there. Answers why it did not; undefined when it
 * did. Throws what the place throws.
 */
export async function renewClaim(
  db: Db,
  {
    place,
    claims,
    deployment,
    now,
    isUsed = async () => false,
  }: {
    place: string
    claims: Claims
    deployment: string
    now: Date
    /** Whether a claim that is gone says that all else is. */
    isUsed?: () => Promise<boolean>
  },
): Promise<ClaimProblem | undefined> {
  const claim = await claims.read()
  const row = await db.selectFrom('claims').selectAll().where('place', '=', place).executeTakeFirst()
  const known = Number(row?.number ?? 0)
  const told = claim?.deployment === deployment ? (claim.series ?? 0) : 0
  const isGone = !claim && known > 0 && (await isUsed())
  const problem = isGone ? 'missing' : problemOf(claim, known, deployment)
  if (problem && !row?.resume) {
    await saveProblem(db, place, problem, told)
    if (problem === 'behind')
      await beCareful(db, `"${place}" knows number ${claim?.number}, this database only ${row?.number ?? 0}`, now)
    return problem
  }
  const counted = await countUp(db, place, { number: claim?.number ?? 0, series: told })
  const series = Math.max(counted.series, await countResumptions(db))
  await claims.write({ deployment, number: counted.number, ...(series > 0 && { series }) })
  return undefined
}

function problemOf(claim: Claim | undefined, known: number, deployment: string): ClaimProblem | undefined {
  if (!claim) return undefined
  if (claim.deployment !== deployment) return 'stranger'
  return claim.number > known ? 'behind' : undefined
}

const laterSeries = sql<number>`greatest(claims.series, excluded.series)`

async function saveProblem(db: Db, place: string, problem: ClaimProblem, series: number): Promise<void> {
  await db
    .insertInto('claims')
    .values({ place, problem, series })
    .onConflict((conflict) => conflict.column('place').doUpdateSet({ problem, series: laterSeries }))
    .execute()
}

/** The next number, past that of the place too, and the last series that the place told of. */
async function countUp(
  db: Db,
  place: string,
  told: { number: number; series: number },
): Promise<{ number: number; series: number }> {
  const { number, series } = await db
    .insertInto('claims')
    .values({ place, problem: null, number: String(told.number + 1), series: told.series })
    .onConflict((conflict) =>
      conflict.column('place').doUpdateSet({
        problem: null,
        resume: false,
        number: sql<string>`greatest(claims.number + 1, excluded.number)`,
        series: laterSeries,
      }),
    )
    .returning(['number', 'series'])
    .executeTakeFirstOrThrow()
  return { number: Number(number), series }
}

export interface PausedPlace {
  place: string
  problem: ClaimProblem
}

/** Where nothing is swept, and why. */
export async function listPausedPlaces(db: Db): Promise<PausedPlace[]> {
  const rows = await db
    .selectFrom('claims')
    .select(['place', 'problem'])
    .where('problem', 'is not', null)
    .orderBy('place')
    .execute()
  return rows.flatMap(({ place, problem }) => (problem === null ? [] : [{ place, problem }]))
}

/** Why nothing is swept there, for an operator. */
export function describePause({ place, problem }: PausedPlace): string {
  const why = {
    behind: 'this database is older than what it finds there: restored, or at work beside the one it was copied from',
    stranger: 'the things there belong to another deployment',
    missing: 'the claim that was left there is gone, so another disk or bucket may be in its place',
  }[problem]
  return `Nothing is swept at "${place}": ${why}. See docs/operator/backup-and-restore.md`
}

/** Has the next sweep take over every place at which nothing is swept; gives their names. */
export async function resumeClaims(db: Db | Trx): Promise<string[]> {
  const rows = await db
    .updateTable('claims')
    .set({ resume: true })
    .where('problem', 'is not', null)
    .returning('place')
    .execute()
  return rows.map(({ place }) => place).sort()
}
