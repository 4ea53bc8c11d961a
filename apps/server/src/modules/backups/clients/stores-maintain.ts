import { grantRenewableMs } from '@atoll/contract/backups'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { ClientDeps } from './client-deps.ts'
import './client-tables.ts'

/** Interval after which a prefix is listed again, ms. */
const listedMs = 24 * 3600_000
/** Prefixes that one run lists; the next goes on with those that were not. */
const mostAtOnce = 100

/**
 * Forgets grants that can no longer be renewed, lists once a day what is stored, and deletes what ended accounts
 * stored, again until no grant can add to it. Runs hourly; again is harmless.
 */
export function storesMaintenance({ db, clock, cloudStore }: ClientDeps): Job {
  return defineTimedJob({
    name: 'backup.clients.tend',
    lane: 'own',
    waits: 'deadline',
    cron: '23 * * * *',
    async run({ log, signal }) {
      const now = clock.now().getTime()
      await db
        .deleteFrom('sts_grants')
        .where('expires_at', '<=', new Date(now - grantRenewableMs))
        .execute()
      if (!cloudStore) return
      const due = await db
        .selectFrom('client_prefixes')
        .select('prefix')
        .where((is) => is.or([is('listed_at', 'is', null), is('listed_at', '<=', new Date(now - listedMs))]))
        .orderBy('listed_at', (order) => order.asc().nullsFirst())
        .limit(mostAtOnce)
        .execute()
      for (const { prefix } of due) {
        if (signal.aborted) return
        const bytes = await cloudStore.measure(prefix)
        await db
          .updateTable('client_prefixes')
          .set({ bytes, listed_at: new Date(now) })
          .where('prefix', '=', prefix)
          .execute()
        log.debug({ prefix, bytes }, 'listed what a personal server stores')
      }
      // Last: with a key that may not delete, bytes are counted all the same.
      const ended = await db.selectFrom('client_prefixes').selectAll().where('ended_at', 'is not', null).execute()
      const failures: unknown[] = []
      for (const { prefix, ended_at: at } of ended) {
        if (signal.aborted) return
        try {
          await cloudStore.empty(prefix)
          if (at && at.getTime() <= now - grantRenewableMs)
            await db.deleteFrom('client_prefixes').where('prefix', '=', prefix).execute()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} prefixes of ended accounts stay`)
    },
  })
}
