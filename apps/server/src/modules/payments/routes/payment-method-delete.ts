import { paymentMethodDelete } from '@atoll/contract/payments'
import { implement, type Route } from '../../../http/route.ts'
import { type CardDeps, removeOwnCard } from '../cards/card-service.ts'

export function paymentMethodRemove(deps: CardDeps): Route {
  return implement(paymentMethodDelete, async ({ id }, { account }) => {
    await removeOwnCard(deps, account, id)
    return {}
  })
}
