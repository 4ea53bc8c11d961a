import { agentEnroll } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { enrolAgent } from '../enrolment-service.ts'

export function agentEnrollRoute(deps: { db: Db; clock: Clock }): Route {
  return implement(agentEnroll, async (body, { log }) => {
    const place = await enrolAgent(deps, body)
    log.info(place, 'an agent enrolled')
    return place
  })
}
