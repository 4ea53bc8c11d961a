import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import { defineJob, enqueueJob, type Job, type JobContext, type JobWaits } from '../jobs/index.ts'
import { enqueueReconcile } from './define-reconciler.ts'

export interface SweepSpec extends JobWaits {
  /** Of the job, `noun.sweep`. */
  name: string
  /** It asks nobody else. */
  lane: 'own'
  /** The reconciler's job. */
  reconciler: string
  db: Db
  clock: Clock
  /** Subjects that something outside shows to be otherwise than their rows say. */
  listChanged?(context: JobContext): Promise<string[]>
  /**
   * Subjects that nobody reconciled since long before `now`, in case a notification was lost; `all`: every living one,
   * this machine may have been restarted.
   */
  listQuiet(now: Date, all: boolean): Promise<string[]>
}

/**
 * The job that finds what a reconciler was not woken for: each minute, and whole when a worker starts. It only wakes,
 * so repeated and simultaneous runs change nothing.
 */
export function defineSweep({ name, reconciler, db, clock, listChanged, listQuiet, ...waits }: SweepSpec): Job {
  return defineJob({
    ...waits,
    name,
    cron: '* * * * *',
    // Cron adds fields of its own.
    payload: z.looseObject({ all: z.boolean().default(false) }),
    async run({ all }, context) {
      const changed = (await listChanged?.(context)) ?? []
      const quiet = await listQuiet(clock.now(), all)
      for (const id of new Set([...changed, ...quiet])) await enqueueReconcile(db, reconciler, id)
      if (quiet.length > 0) context.log.info({ count: quiet.length }, 'what was quiet is reconciled again')
    },
  })
}

/** Has a sweep wake every living subject, once. */
export async function enqueueFullSweep(db: Db, name: string): Promise<void> {
  await enqueueJob(db, name, { all: true }, { key: `${name}:start` })
}
