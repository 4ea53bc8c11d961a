import { forecast, meteredProducts, timeTravel, upcomingInvoice } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { readAssumed } from '../due/assume-usage.ts'
import { foresee } from '../due/forecast.ts'
import { foreseeNext } from '../due/next-bill.ts'
import type { RehearsalDeps } from '../due/rehearse.ts'
import { createRehearsals } from '../due/share-rehearsals.ts'
import { type TravelDeps, travel } from '../due/travel-service.ts'

export function timeRoutes(deps: RehearsalDeps & TravelDeps): Route[] {
  const rehearsals = createRehearsals()
  return [
    implement(upcomingInvoice, (_, { account: { userid }, locale }) =>
      foreseeNext(deps, { userid, locale }, rehearsals),
    ),
    implement(forecast, ({ months, cards, usage }, { account: { userid }, locale }) => {
      const what = `${months} ${cards} ${locale} ${meteredProducts.map((product) => usage[product] ?? 0).join(' ')}`
      const asked = { userid, months, cards, usage: readAssumed(usage), locale }
      return rehearsals.share({ userid, what }, () => foresee(deps, asked))
    }),
    implement(timeTravel, (body, { account }) => travel(deps, account, body)),
  ]
}
