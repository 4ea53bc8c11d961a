/**
 * From one secret key to the next.
 *
 *   one key ──file has two──▶ added ──every process has both; the mark in the database──▶ moving
 *        ▲                                                                                  │ every use counts 0
 *        └──────────────────────────── the old one is taken out of the file ◀── moved ◀────┘
 *
 * Writers: only the operator's command writes the file and the mark; a worker's job moves what the old key made. Each
 * step can be repeated, and a run that was killed continues from the state of file, mark and rows.
 */
import { sql } from 'kysely'
import { keyIdOf, type Sealer } from '../crypto.ts'
import type { SecretKeys } from '../data-folder/secret-key.ts'
import type { Db } from '../db/index.ts'
import { setFact } from '../facts/index.ts'
import { listProcesses } from '../heartbeat/index.ts'
import { defineTimedJob, type Job } from '../jobs/index.ts'
import type { DerivedUse, SealedUse } from '../key-uses.ts'
import { keyMarkFact, markOf } from './key-guard.ts'
import type { KeyMove, KeyMoveDeps } from './key-move.ts'

interface SecretKeysTable {
  id: string
  current_at: Date
  settled_at: Date | null
  problem: string | null
}

declare module '../db/index.ts' {
  interface Tables {
    secret_keys: SecretKeysTable
  }
}

/** Each use that is declared has its way to move: one that is missing does not compile. */
export type KeyMoves = Readonly<Record<SealedUse | DerivedUse, KeyMove>>

interface Uses {
  /** Uses with values that an old key made and that are still needed. */
  uses: { use: string; count: number }[]
  /** Processes that do not make new values with the new key yet, each in words. */
  behind: string[]
  /** The error that kept something from being moved the last time. */
  problem: string | undefined
}

/** Processes that wrote lately and that `isWrong` selects by the ids of their keys. */
async function listBehind(db: Db, isRight: (keys: readonly string[]) => boolean): Promise<string[]> {
  return (await listProcesses(db))
    .filter(({ keys }) => !isRight(keys?.split(',') ?? []))
    .map(({ host, roles }) => `${roles ?? 'a process'} on ${host ?? 'an unknown host'}`)
}

/** Processes that would not understand what the key `id` makes. */
export async function listWithout(db: Db, id: string): Promise<string[]> {
  return await listBehind(db, (keys) => keys.includes(id))
}

/** Has new values made with `next`, by processes that start from now on. */
export async function switchKey(db: Db, next: Uint8Array, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('secret_keys')
      .values({ id: keyIdOf(next), current_at: now, settled_at: null, problem: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ current_at: now, settled_at: null, problem: null }))
      .execute()
    await setFact(trx, keyMarkFact, markOf(next))
  })
}

/** Counts the values that still depend on keys other than the current one. */
export async function countUses(deps: KeyMoveDeps, moves: KeyMoves): Promise<Uses> {
  const { db, clock, sealer } = deps
  const row = await findRow(db, sealer.keyId)
  const behind = await listBehind(db, ([current]) => current === sealer.keyId)
  // Until all processes use the new key, values that expire unmoved are still being made.
  const since = row?.settled_at ?? clock.now()
  const uses = []
  for (const [use, { count }] of Object.entries(moves)) uses.push({ use, count: await count(deps, since) })
  return { uses, behind, problem: row?.problem ?? undefined }
}

async function findRow(db: Db, id: string) {
  return await db.selectFrom('secret_keys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Moves, each minute, what an old key made, while there is an old one. Safe to repeat. */
export function keyMoveJob(deps: KeyMoveDeps, moves: KeyMoves): Job {
  return defineTimedJob({
    name: 'key.move',
    lane: 'own',
    waits: 'careful',
    cron: '* * * * *',
    async run({ signal, log }) {
      const { db, sealer } = deps
      if (sealer.keyIds.length < 2 || !(await findRow(db, sealer.keyId))) return
      const problem = await moveAll(deps, moves, signal)
      if (problem !== undefined) log.error({ problem }, 'what an older secret key made could not all be moved')
    },
  })
}

/** Moves all that can be moved now; gives what kept something from it. */
export async function moveAll(deps: KeyMoveDeps, moves: KeyMoves, signal: AbortSignal): Promise<string | undefined> {
  await settle(deps)
  const problems: string[] = []
  for (const [use, { move }] of Object.entries(moves)) {
    if (signal.aborted) return undefined
    try {
      await move?.(deps, signal)
    } catch (error) {
      problems.push(`${use}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const problem = problems.length > 0 ? problems.join('; ') : null
  await deps.db.updateTable('secret_keys').set({ problem }).where('id', '=', deps.sealer.keyId).execute()
  return problem ?? undefined
}

/** Notes when every process was first seen to make new values with the new key. */
async function settle({ db, clock, sealer }: KeyMoveDeps): Promise<void> {
  if ((await listBehind(db, ([current]) => current === sealer.keyId)).length > 0) return
  await sql`update secret_keys set settled_at = ${clock.now()} where id = ${sealer.keyId} and settled_at is null`.execute(
    db,
  )
}

/** The key of the file that new values should be made with and are not: one after the current. */
export function nextKey(keys: SecretKeys, sealer: Sealer): Uint8Array | undefined {
  const current = keys.findIndex((key) => keyIdOf(key) === sealer.keyId)
  return keys[current + 1]
}
