import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type BackupDeps, takeBackups } from './take-backups.ts'
import { type LevelDeps, takeLevels } from './take-levels.ts'
import { takeTraffic } from './take-traffic.ts'

export type UsageReadDeps = LevelDeps & BackupDeps & { db: Db; clock: Clock }

/** Job usage.read: ten minutes after each hour, reads what flowed in it and what is held. Safe to repeat. */
export function usageRead(deps: UsageReadDeps): Job {
  const { db, clock } = deps
  return defineJob({
    name: 'usage.read',
    lane: 'own',
    waits: 'never',
    cron: '10 * * * *',
    payload: z.unknown(),
    async run() {
      await db.transaction().execute((trx) => takeTraffic(trx, clock.now()))
      await takeLevels(deps, db, clock.now())
      await takeBackups(deps, db, clock.now())
    },
  })
}
