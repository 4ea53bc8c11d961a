import {
  domainAdd,
  domainCertificateRemove,
  domainCheck,
  domainDelete,
  domainHttpsRetry,
  domainMethod,
  domainRecordAdd,
  domainRecordDelete,
  domainRestart,
  domainRuleSet,
  requestDomainVC,
  submitDomainVP,
} from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import {
  addDomain,
  changeMethod,
  checkDomain,
  removeCertificate,
  removeDomain,
  restartDomain,
  retryHttps,
  setRule,
} from '../claims/domain-service.ts'
import { addOwnRecord, removeOwnRecord } from '../claims/own-records.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'

export function domainChanges(deps: DomainDeps): Route[] {
  return [
    implement(domainAdd, async (order, { account }) => await addDomain(deps, account, order)),
    implement(domainCheck, async ({ domain }, { account }) => await checkDomain(deps, account, domain)),
    implement(domainHttpsRetry, async ({ domain }, { account }) => await retryHttps(deps, account, domain)),
    implement(domainCertificateRemove, async (asked, { account }) => {
      await removeCertificate(deps, account, asked)
      return {}
    }),
    implement(domainMethod, async (order, { account }) => await changeMethod(deps, account, order)),
    implement(domainRecordAdd, async (order, { account }) => ({ records: await addOwnRecord(deps, account, order) })),
    implement(domainRecordDelete, async (order, { account }) => ({
      records: await removeOwnRecord(deps, account, order),
    })),
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
