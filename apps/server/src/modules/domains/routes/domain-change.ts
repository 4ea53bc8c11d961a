import {
  domainAdd,
  domainCheck,
  domainDelete,
  domainMethod,
  domainRestart,
  domainRuleSet,
  requestDomainVC,
  submitDomainVP,
} from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { addDomain, changeMethod, checkDomain, removeDomain, restartDomain, setRule } from '../domain-service.ts'
import { requestCredential, submitPresentation } from '../wallet-service.ts'

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
    implement(
      requestDomainVC,
      async (request, { account, locale }) => await requestCredential(deps, account, { ...request, locale }),
    ),
    implement(submitDomainVP, async ({ admin_olares_id: adminName, ...request }, { account, locale }) =>
      submitPresentation(deps, account, { ...request, locale, adminName }),
    ),
  ]
}
