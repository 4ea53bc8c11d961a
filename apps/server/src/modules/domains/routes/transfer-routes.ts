import { domainTransfer, domainTransferAccept, domainTransferDelete, domainTransferSign } from '@atoll/contract/domains'
import { implement, type Route } from '../../../http/route.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { acceptTransfer, endOffer, offerTransfer, signOffer } from '../transfers/transfer-service.ts'

export function transferRoutes(deps: DomainDeps): Route[] {
  return [
    implement(domainTransfer, async (order, { account }) => await offerTransfer(deps, account, order)),
    implement(domainTransferSign, async (order, { account, locale }) => signOffer(deps, account, { ...order, locale })),
    implement(domainTransferAccept, async (order, { account, locale }) =>
      acceptTransfer(deps, account, { ...order, locale }),
    ),
    implement(domainTransferDelete, async (order, { account }) => {
      await endOffer(deps, account, order)
      return {}
    }),
  ]
}
