import { agentEnroll } from '@atoll/contract/agents'
import { implement, type Route } from '../../../http/route.ts'
import { type EnrolDeps, enrolAgent } from '../enrolment-service.ts'

export function agentEnrollRoute(deps: EnrolDeps): Route {
  return implement(agentEnroll, async (body, { log }) => {
    const place = await enrolAgent(deps, body)
    log.info(place, 'an agent enrolled')
    return place
  })
}
