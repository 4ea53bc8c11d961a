import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type CardSetupDeps, settleCardPage, setupReadJob } from '../cards/card-setup.ts'
import { findCardSetup } from '../cards/setup-store.ts'

/** Asks the gateway how a card's page stands; asks again later while it is open. */
export function cardSetupRead(deps: CardSetupDeps): Job {
  return defineJob({
    name: setupReadJob,
    lane: 'gateway',
    accountOf: async ({ setupId }) => (await findCardSetup(deps.db, setupId))?.userid,
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ setupId: z.string() }),
    run: ({ setupId }) => settleCardPage(deps, setupId),
  })
}
