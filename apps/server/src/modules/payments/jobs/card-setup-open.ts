import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type CardSetupDeps, openCardPage, setupOpenJob } from '../cards/card-setup.ts'

/** Has the gateway open the page on which a card is entered. */
export function cardSetupOpen(deps: CardSetupDeps): Job {
  return defineJob({
    name: setupOpenJob,
    payload: z.object({ setupId: z.string() }),
    run: ({ setupId }) => openCardPage(deps, setupId),
  })
}
