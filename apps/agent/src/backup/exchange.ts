/**
 * Puts what was restored in the place of what the drive has, by renames that may be cut off anywhere. States, in
 * `backup/exchange.json`, which only this file writes:
 *   none     nothing was begun, or its task has been forgotten: what is in `restored/` is rubbish
 *   begun    every rename is written down; the next start goes through them again, and those done change nothing
 *   done     the drive is whole; kept so that the same task, run again, says its end instead of restoring anew
 * Of each name first the old goes aside, then the new comes in its place.
 */
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RestoreResult } from '@atoll/contract/agents'
import { z } from 'zod'
import { hasErrorCode, syncFolder, writeFileAtomic } from '../home/atomic-file.ts'
import { readJsonFile } from '../home/home.ts'

const Exchange = z.object({
  taskId: z.string(),
  state: z.enum(['begun', 'done']),
  /** Each the names below the drive's folder, none for the drive itself; the new tree has them all. */
  places: z.array(z.array(z.string())),
  result: RestoreResult,
})
export type Exchange = z.infer<typeof Exchange>

export interface ExchangeFolders {
  journal: string
  drive: string
  /** `new/` has what was restored, laid out as the drive; `old/` what it took the place of. */
  restored: string
}

/** Goes on with what was cut off, and removes the rest. Nobody else may change the drive meanwhile. */
export async function resumeExchange(folders: ExchangeFolders): Promise<void> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  if (exchange?.state === 'begun') await carryOut(folders, exchange)
  await rm(folders.restored, { recursive: true, force: true })
}

/** The end of the exchange that `taskId` had; undefined when it had none. */
export async function findExchanged(folders: ExchangeFolders, taskId: string): Promise<RestoreResult | undefined> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  return exchange?.taskId === taskId && exchange.state === 'done' ? exchange.result : undefined
}

/** The end of the exchange that made what was restored the whole drive; undefined when the last one was another. */
export async function findDriveExchanged(folders: ExchangeFolders): Promise<RestoreResult | undefined> {
  const exchange = await readJsonFile(folders.journal, Exchange)
  const isWhole = exchange?.places.some((names) => names.length === 0)
  return isWhole && exchange?.state === 'done' ? exchange.result : undefined
}

/** `step` carries out each change of the disk; a test cuts there. */
export async function beginExchange(
  folders: ExchangeFolders,
  exchange: Omit<Exchange, 'state'>,
  step = atOnce,
): Promise<void> {
  const begun = { ...exchange, state: 'begun' } as const
  await writeFileAtomic(folders.journal, JSON.stringify(begun))
  await carryOut(folders, begun, step)
}

async function carryOut(
  { journal, drive, restored }: ExchangeFolders,
  exchange: Exchange,
  step = atOnce,
): Promise<void> {
  await mkdir(join(restored, 'old'), { recursive: true, mode: 0o700 })
  for (const [at, names] of exchange.places.entries()) {
    const [place, fresh] = [join(drive, ...names), join(restored, 'new', ...names)]
    const aside = join(restored, 'old', String(at))
    // Gone from there: it is in its place since an earlier try, or lies in one that is.
    if (!(await exists(fresh))) continue
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    if (!(await exists(aside))) await step(() => rename(place, aside).catch(unlessMissing))
    await step(() => rename(fresh, place))
    await syncFolder(dirname(place))
  }
  await step(() => writeFileAtomic(journal, JSON.stringify({ ...exchange, state: 'done' })))
}

async function atOnce(act: () => Promise<void>): Promise<void> {
  await act()
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => unlessMissing(error) ?? false,
  )
}

function unlessMissing(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
}
