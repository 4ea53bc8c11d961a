/** `/v2/user/firstSteps`: what a new account does first, ticked by facts. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'

/** In the order in which they are offered. */
export const firstSteps = ['email', 'create', 'activate', 'backup', 'password'] as const
export type FirstStep = (typeof firstSteps)[number]

export const firstStepsShow = defineCall({
  name: 'firstStepsShow',
  path: '/v2/user/firstSteps',
  reach: 'self',
  reads: true,
  topics: ['account', 'cluster', 'backup'],
  summary: 'The first steps of the account: which are done, and whether it wants to see them.',
  data: z.object({
    steps: z.array(z.object({ step: z.enum(firstSteps), isDone: z.boolean() })),
    isDismissed: z.boolean(),
  }),
})

export const firstStepsDismiss = defineCall({
  name: 'firstStepsDismiss',
  path: '/v2/user/firstSteps/dismiss',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'No longer shows the first steps; safe to repeat.',
})

export const passwordKept = defineCall({
  name: 'passwordKept',
  path: '/v2/user/firstSteps/passwordKept',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Notes that the password of a backup was put somewhere safe, the last of the first steps; safe to repeat.',
})
