/**
 * `run.json`: who runs on this home, for the compute provider and for the next start, which asks for the same port.
 */
import { z } from 'zod'
import { writeFileAtomic } from './atomic-file.ts'
import { Fatal } from './fatal.ts'
import { type Home, readJsonFile } from './home.ts'

const RunFile = z.object({ pid: z.int(), port: z.int().min(1).max(65535), bootId: z.string() })
export type RunFile = z.infer<typeof RunFile>

/** Written once the port listens, so a reader that finds this boot's file can connect. */
export async function writeRunFile(home: Home, run: RunFile): Promise<void> {
  await writeFileAtomic(home.run, JSON.stringify(run))
}

/** The last run on this home; undefined: none. A damaged note is no reason not to start. */
export async function lastRun(home: Home): Promise<RunFile | undefined> {
  return await readJsonFile(home.run, RunFile).catch((error: unknown) => {
    if (!(error instanceof Fatal)) throw error
    return undefined
  })
}
