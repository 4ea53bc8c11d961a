import { sql } from 'kysely'
import { findHold } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { dropPartitions, fiveMinuteTier, makePartitionsAhead, minuteTier } from '../postgres/partitions.ts'
import { rollUpHours } from '../postgres/roll-up.ts'

/**
 * Keeps the tiers: makes partitions ahead, rolls up the hours that are over, drops what is older than its tier, and
 * forgets series that have nothing left. Late, repeated and simultaneous runs change nothing else.
 */
export function samplesMaintenance({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'samples.tend',
    lane: 'own',
    waits: 'never',
    cron: '4,14,24,34,44,54 * * * *',
    async run({ log, signal }) {
      const now = clock.now()
      for (const tier of [minuteTier, fiveMinuteTier]) await makePartitionsAhead(db, tier, now.getTime())
      const rolled = await rollUpHours(db, now, signal)
      if (rolled > 0) log.info({ hours: rolled }, 'samples were rolled up')
      // Dropped samples cannot be restored, so none are dropped while the clock may be wrong.
      if (await findHold(db, { waits: 'deadline' })) return
      const open = await db.selectFrom('sample_hours').select('hour').where('rolled_at', 'is', null).execute()
      // Minutes of an hour that was not rolled up are all there is of it.
      const dropped =
        (await dropPartitions(
          db,
          minuteTier,
          now.getTime(),
          open.map(({ hour }) => hour.getTime()),
        )) + (await dropPartitions(db, fiveMinuteTier, now.getTime()))
      const old = new Date(now.getTime() - fiveMinuteTier.keptMs)
      await db.deleteFrom('sample_hours').where('hour', '<', old).where('rolled_at', 'is not', null).execute()
      await sql`delete from sample_series using latest_samples
        where latest_samples.series = sample_series.series and latest_samples.at < ${old}`.execute(db)
      if (dropped > 0) log.info({ partitions: dropped }, 'samples that are too old were dropped')
    },
  })
}
