import {
  paymentMethodAdd,
  paymentMethodDefault,
  paymentMethodDelete,
  paymentMethodList,
  paymentMethodUpdate,
} from '@atoll/contract/payments'
import { type AccountContext, implement, type Route } from '../../../http/route.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { cardJson } from '../cards/card-json.ts'
import { cardPageAddress } from '../cards/card-page-plugin.ts'
import { type CardDeps, chooseDefaultCard, orderCard, removeOwnCard } from '../cards/card-service.ts'
import { listCards } from '../cards/card-store.ts'

export interface CardRouteDeps extends CardDeps {
  sealer: Sealer
  /** When the newest charge of each card was declined, by the card; without those that it was not. */
  listDeclines(db: Db, userid: string): Promise<Map<string, Date>>
  config: { publicUrl: string; chinaUrl: string }
}

/** Where the gateway's page leads back to, unless the call names another page of the console. */
const billingPage = '/billing'

export function paymentMethodRoutes(deps: CardRouteDeps): Route[] {
  const { db, clock, gateway } = deps
  return [
    implement(paymentMethodList, async (_, { account }) => {
      const now = clock.now()
      const cards = await listCards(db, account.userid, gateway.name)
      const declines = cards.length > 0 ? await deps.listDeclines(db, account.userid) : new Map<string, Date>()
      return { methods: cards.map((card) => cardJson(card, now, declines.get(card.id))) }
    }),
    implement(paymentMethodAdd, async (body, context) => open(deps, context, { ...body, call: paymentMethodAdd.name })),
    implement(paymentMethodUpdate, async ({ id, ...body }, context) =>
      open(deps, context, { ...body, call: paymentMethodUpdate.name, replaces: id }),
    ),
    implement(paymentMethodDelete, async ({ id }, { account }) => {
      await removeOwnCard(deps, account, id)
      return {}
    }),
    implement(paymentMethodDefault, async ({ id }, { account }) => {
      await chooseDefaultCard(deps, account, id)
      return {}
    }),
  ]
}

async function open(
  deps: CardRouteDeps,
  { account: caller, host, locale }: AccountContext,
  order: { call: string; requestId?: string | undefined; returnTo?: string | undefined; replaces?: string },
): Promise<{ url: string }> {
  const { publicUrl, chinaUrl } = deps.config
  // Of the console's two hosts, the one that was asked; no other can be.
  const origin = new URL(host.toLowerCase() === new URL(chinaUrl).host ? chinaUrl : publicUrl).origin
  const { call, requestId, returnTo = billingPage, replaces } = order
  const returnUrl = origin + returnTo
  const { setupId } = await orderCard(deps, {
    caller,
    call,
    requestId,
    locale,
    returnUrl,
    ...(replaces !== undefined && { replaces }),
  })
  return { url: cardPageAddress(deps.sealer, origin, setupId) }
}
