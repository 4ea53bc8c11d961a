import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteCardSetupsBefore } from '../cards/setup-store.ts'
import { deleteGatewayEventsBefore } from '../gateway/gateway-event-store.ts'

/** ms. Gateways repeat a webhook for some days; its signature is too old after minutes. */
const keptMs = 30 * 24 * 60 * 60_000

/** Forgets webhooks' ids and card pages of long ago, once a day. Late or repeated runs change nothing else. */
export function paymentsSweep({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'payments.sweep',
    lane: 'own',
    waits: 'deadline',
    cron: '41 3 * * *',
    async run({ log }) {
      const before = new Date(clock.now().getTime() - keptMs)
      const events = await deleteGatewayEventsBefore(db, before)
      const setups = await deleteCardSetupsBefore(db, before)
      if (events + setups > 0) log.info({ events, setups }, 'forgot webhooks and card pages of long ago')
    },
  })
}
