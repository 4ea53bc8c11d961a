import { paymentMethodList } from '@atoll/contract/payments'
import { implement, type Route } from '../../../http/route.ts'
import { cardJson } from '../cards/card-json.ts'
import type { CardDeps } from '../cards/card-service.ts'
import { listCards } from '../cards/card-store.ts'

export function paymentMethodShowAll({ db, clock, gateway }: CardDeps): Route {
  return implement(paymentMethodList, async (_, { account }) => {
    const now = clock.now()
    return { methods: (await listCards(db, account.userid, gateway.name)).map((card) => cardJson(card, now)) }
  })
}
