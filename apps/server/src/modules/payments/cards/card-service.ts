/** The customer's acts on their cards. Each locks the account first; only jobs call the gateway. */
import type { Locale } from '@atoll/contract/wire'
import type { Currency } from '@atoll/money'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordCard } from './card-audit.ts'
import { detachLater } from './card-detach.ts'
import { type CardSetupDeps, setupOpenJob } from './card-setup.ts'
import { listCards, type PaymentMethod, removeCard, setDefaultCard } from './card-store.ts'
import { insertCardSetup } from './setup-store.ts'

export interface CardDeps extends CardSetupDeps {
  currencyOf(trx: Trx, userid: string): Promise<Currency>
  /** The account's last card is removed after this: what may still be charged to it is. */
  beforeLastCard(trx: Trx, userid: string): Promise<void>
}

export interface CardOrder {
  caller: Caller
  /** Of the call, for its key. */
  call: string
  requestId: string | undefined
  /** The card that the new one takes the place of. */
  replaces?: string
  locale: Locale
  /** A page of our own console, whole. */
  returnUrl: string
}

/** Has a page opened on which a card is entered; gives the setup's id. Refuses a card to replace that is not theirs. */
export async function orderCard(deps: CardDeps, order: CardOrder): Promise<{ setupId: string }> {
  const { caller, call, requestId, replaces, locale, returnUrl } = order
  const { userid } = caller
  const key = { owner: userid, call, body: { requestId, replaces, returnUrl } }
  return await once(deps, key, async (trx) => {
    await deps.lockAccount(trx, userid)
    if (replaces !== undefined) await getCard(trx, deps, userid, replaces)
    const setupId = newId('su')
    await insertCardSetup(trx, {
      id: setupId,
      userid,
      gateway: deps.gateway.name,
      currency: await deps.currencyOf(trx, userid),
      locale,
      return_url: returnUrl,
      replaces: replaces ?? null,
      created_at: deps.clock.now(),
    })
    await enqueueJob(trx, setupOpenJob, { setupId })
    return { setupId }
  })
}

/** Of what is left, the newest card becomes the default. */
export async function removeOwnCard(deps: CardDeps, caller: Caller, id: string): Promise<void> {
  await changeCards(deps, caller, id, async (trx, card) => {
    const isLast = (await listCards(trx, caller.userid, deps.gateway.name)).length === 1
    if (isLast) await deps.beforeLastCard(trx, caller.userid)
    else if (card.is_default) await deps.beforeOtherCard(trx, caller.userid)
    await removeCard(trx, id, deps.clock.now())
    await detachLater(trx, card)
    const [next] = await listCards(trx, caller.userid, deps.gateway.name)
    if (card.is_default && next) await setDefaultCard(trx, caller.userid, next.id)
    return 'card.remove'
  })
}

export async function chooseDefaultCard(deps: CardDeps, caller: Caller, id: string): Promise<void> {
  await changeCards(deps, caller, id, async (trx, card) => {
    if (card.is_default) return undefined
    await deps.beforeOtherCard(trx, caller.userid)
    await setDefaultCard(trx, caller.userid, id)
    await deps.onCardReady(trx, caller.userid, id)
    return 'card.setDefault'
  })
}

async function changeCards(
  deps: CardDeps,
  { userid, sessionId, ip }: Caller,
  id: string,
  act: (trx: Trx, card: PaymentMethod) => Promise<'card.remove' | 'card.setDefault' | undefined>,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await deps.lockAccount(trx, userid)
    const card = await getCard(trx, deps, userid, id)
    const action = await act(trx, card)
    if (!action) return
    await recordCard(trx, { actor: { userid, sessionId }, ip }, action, { card })
    await publishChange(trx, { account: userid, topic: 'billing', id })
  })
}

async function getCard(trx: Trx, { gateway }: CardDeps, userid: string, id: string): Promise<PaymentMethod> {
  const card = (await listCards(trx, userid, gateway.name)).find((one) => one.id === id)
  return card ?? refuse('notFound', { object: 'card' })
}
