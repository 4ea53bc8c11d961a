import {
  domainAdd,
  domainCheck,
  domainDelete,
  domainMethod,
  domainRestart,
  domainRuleSet,
} from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { addDomain, changeMethod, checkDomain, removeDomain, restartDomain, setRule } from '../domain-service.ts'

export function domainChanges(deps: DomainDeps): Route[] {
  return [
    implement(domainAdd, async (order, { account }) => await addDomain(deps, account, order)),
    implement(domainCheck, async ({ domain }, { account }) => await checkDomain(deps, account, domain)),
    implement(domainMethod, async (order, { account }) => await changeMethod(deps, account, order)),
    implement(domainRestart, async ({ domain }, { account }) => await restartDomain(deps, account, domain)),
    implement(domainDelete, async (order, { account }) => {
      await removeDomain(deps, account, order)
      return {}
    }),
    implement(domainRuleSet, async (rule, { account }) => await setRule(deps, account, rule)),
  ]
}
