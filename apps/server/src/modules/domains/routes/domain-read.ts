import { domainCertificates, domainDetail, domainList, domainMoves, domainRuleShow } from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { domainDetailJson, domainJson, methodsOf } from '../claims/domain-json.ts'
import { getRule } from '../claims/domain-service.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { getDomain } from '../lifecycle/own-domain.ts'
import { fullName, isName } from '../names/own-record.ts'
import { listDomains } from '../records/domain-store.ts'
import { offersJson } from '../transfers/transfer-json.ts'

export function domainReads(deps: DomainDeps): Route[] {
  return [
    implement(domainList, async (_, { account, locale }) => {
      const rows = await listDomains(deps.db, account.userid)
      const isNamed = (await deps.findNameOf(deps.db, account.userid)) !== null
      return {
        domains: await Promise.all(rows.map((row) => domainJson(deps, deps.db, row))),
        methods: methodsOf(deps),
        offers: await offersJson(deps, account.did),
        ...(isNamed && { refused: new Refusal('domainDidNamed').sentence(locale) }),
      }
    }),
    implement(domainDetail, async ({ domain }, { account }) =>
      domainDetailJson(deps, await getDomain(deps, account, domain)),
    ),
    implement(domainCertificates, async ({ domain, ...page }, { account }) => {
      const { number } = await getDomain(deps, account, domain)
      return await deps.certificates.list(deps.db, number, page)
    }),
    implement(domainMoves, async ({ domain, names = [] }, { account }) => {
      const { name } = await getDomain(deps, account, domain)
      const below = new Set(['_dmarc', ...names].map((each) => fullName(name, each)))
      below.delete(name)
      return { records: await deps.dns.listOwnRecords(name, [...below].filter(isName)) }
    }),
    implement(domainRuleShow, async ({ domain }) => await getRule(deps, domain)),
  ]
}
