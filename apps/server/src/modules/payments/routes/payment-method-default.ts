import { paymentMethodDefault } from '@atoll/contract/payments'
import { implement, type Route } from '../../../http/route.ts'
import { type CardDeps, chooseDefaultCard } from '../cards/card-service.ts'

export function paymentMethodPrefer(deps: CardDeps): Route {
  return implement(paymentMethodDefault, async ({ id }, { account }) => {
    await chooseDefaultCard(deps, account, id)
    return {}
  })
}
