import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type CardSetupDeps, openCardPage, setupOpenJob } from '../cards/card-setup.ts'
import { findCardSetup } from '../cards/setup-store.ts'

/** Has the gateway open the page on which a card is entered. */
export function cardSetupOpen(deps: CardSetupDeps): Job {
  return defineJob({
    name: setupOpenJob,
    lane: 'gateway',
    accountOf: async ({ setupId }) => (await findCardSetup(deps.db, setupId))?.userid,
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ setupId: z.string() }),
    run: ({ setupId }, { attempt }) => openCardPage(deps, setupId, attempt),
  })
}
