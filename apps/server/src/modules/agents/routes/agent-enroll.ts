import { agentEnroll } from '@atoll/contract/agents'
import { implement, type Route } from '../../../http/route.ts'
import { type EnrollDeps, enrollAgent } from '../enroll/enrollment-service.ts'

export function agentEnrollRoute(deps: EnrollDeps): Route {
  return implement(agentEnroll, async (body, { log }) => {
    const place = await enrollAgent(deps, body)
    log.info(place, 'an agent enrolled')
    return place
  })
}
