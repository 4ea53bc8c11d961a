/**
 * Asks each outside source, after a start, whether it knows anything newer than this database. Until it has answered,
 * the acts that depend on it wait (platform/careful). Anything newer is evidence: the deployment is careful then.
 */
import { type Asked, explainDoubt, findDoubt, settleDoubt } from '../careful/index.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import { defineTimedJob, type Job } from '../jobs/index.ts'
import type { Log } from '../log.ts'

export interface SourceCheck {
  source: Asked
  /**
   * Notes evidence (`noteEvidence`) of all that is newer there. Returns why there was no clear answer; undefined: there
   * was.
   */
  ask(now: Date): Promise<string | undefined>
}

interface SourcesDeps {
  db: Db
  clock: Clock
  log: Log
  checks: readonly SourceCheck[]
}

/** Asks those in doubt, or all, independently: a slow one delays no other. Safe to repeat and to run concurrently. */
export async function checkSources({ checks, ...deps }: SourcesDeps, { all = false } = {}): Promise<void> {
  await Promise.all(checks.map((check) => checkSource(deps, check, all)))
}

async function checkSource(
  { db, clock, log }: Omit<SourcesDeps, 'checks'>,
  { source, ask }: SourceCheck,
  isAsked: boolean,
): Promise<void> {
  const now = clock.now()
  if (!isAsked && !(await findDoubt(db, source))) return
  try {
    const problem = await ask(now)
    if (problem === undefined) await settleDoubt(db, source, now)
    else await explainDoubt(db, source, problem)
  } catch (error) {
    log.warn({ err: error, source }, 'a source could not be asked whether it is newer than this database')
    await explainDoubt(db, source, error instanceof Error ? error.message : String(error))
  }
}

/**
 * The same each minute, for those that gave no answer at the start, and once an hour for all: a database may also be
 * exchanged under a server that runs, as by a failover to one that lags behind.
 */
export function sourcesCheck({ checks, ...deps }: Omit<SourcesDeps, 'checks'> & { checks(): SourceCheck[] }): Job {
  return defineTimedJob({
    name: 'sources.check',
    lane: 'gateway',
    waits: 'never',
    cron: '* * * * *',
    async run({ log }) {
      const all = deps.clock.now().getUTCMinutes() === 37
      await checkSources({ ...deps, log, checks: checks() }, { all })
    },
  })
}
