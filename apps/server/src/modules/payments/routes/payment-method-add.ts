import { paymentMethodAdd, paymentMethodUpdate } from '@atoll/contract/payments'
import { type AccountContext, implement, type Route } from '../../../http/route.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import { cardPageAddress } from '../cards/card-page-plugin.ts'
import { type CardDeps, orderCard } from '../cards/card-service.ts'

export interface CardRouteDeps extends CardDeps {
  sealer: Sealer
  config: { publicUrl: string; chinaUrl: string }
}

/** Where the gateway's page leads back to, unless the call names another page of the console. */
const billingPage = '/billing'

export function paymentMethodEnter(deps: CardRouteDeps): Route {
  return implement(paymentMethodAdd, async (body, context) =>
    open(deps, context, { ...body, call: paymentMethodAdd.name }),
  )
}

export function paymentMethodReplace(deps: CardRouteDeps): Route {
  return implement(paymentMethodUpdate, async ({ id, ...body }, context) =>
    open(deps, context, { ...body, call: paymentMethodUpdate.name, replaces: id }),
  )
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
