/**
 * A page of the gateway on which a card is entered, from the request for it to the card.
 *
 *   asked ──job: the gateway opened it──▶ open ──job: a card is there──▶ done
 *                                           └──canceled, or its time has passed──▶ canceled
 *
 * Calls write `asked`, the two jobs all else. A job may run twice: the gateway's own key is the setup's id, and the row
 * is read again under the account's lock. The gateway is asked after a webhook, and by and by until the page ends.
 */
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import type { PaymentGateway, SetupOutcome } from '../gateway/gateway.ts'
import { recordCard } from './card-audit.ts'
import { detachLater } from './card-detach.ts'
import { findCustomer, insertCard, listCards, removeCard, setDefaultCard } from './card-store.ts'
import { type CardSetup, endCardSetup, findCardSetup, lockCardSetup, openCardSetup } from './setup-store.ts'

export interface CardSetupDeps {
  db: Db
  clock: Clock
  gateway: PaymentGateway
  /** Locks the account's row until `trx` ends. */
  lockAccount(trx: Trx, userid: string): Promise<unknown>
  /** Another card becomes the one that is charged after this. */
  beforeOtherCard(trx: Trx, userid: string): Promise<void>
  /** The account has another card to be charged, or another default one. */
  onCardReady(trx: Trx, userid: string, cardId: string): Promise<void>
}

export const setupOpenJob = 'cardSetup.open'
export const setupReadJob = 'cardSetup.read'
/** ms. A webhook is quicker; this is for those that are lost. */
const readEveryMs = 5 * 60_000

/** Has the gateway asked how a page stands, at `runAt` or at once. */
export async function enqueueSetupRead(db: Db | Trx, setupId: string, runAt?: Date): Promise<void> {
  await enqueueJob(db, setupReadJob, { setupId }, { key: `${setupReadJob}:${setupId}`, ...(runAt && { runAt }) })
}

/**
 * Opens the page that was asked for. Throws when the gateway gives no clear answer: the queue retries, each attempt
 * under a key of its own; of two pages the one that is kept is shown, and neither charges anything.
 */
export async function openCardPage({ db, clock, gateway }: CardSetupDeps, setupId: string, attempt = 1): Promise<void> {
  const setup = await findCardSetup(db, setupId)
  if (setup?.state !== 'asked' || setup.gateway !== gateway.name) return
  const opened = await gateway.openSetup({
    setupId,
    sending: attempt,
    userid: setup.userid,
    customer: await findCustomer(db, setup.userid, gateway.name),
    currency: setup.currency,
    locale: setup.locale,
    returnUrl: setup.return_url,
  })
  if (opened.kind !== 'action') throw new Error(`the gateway did not open a card page: ${opened.why}`)
  await db.transaction().execute(async (trx) => {
    if (!(await openCardSetup(trx, setupId, { ref: opened.ref, url: opened.url }))) return
    await enqueueSetupRead(trx, setupId, new Date(clock.now().getTime() + readEveryMs))
    await publishChange(trx, { account: setup.userid, topic: 'billing', id: setupId })
  })
}

/** Asks how a page stands, and keeps the card that was entered. Throws as above. */
export async function settleCardPage(deps: CardSetupDeps, setupId: string): Promise<void> {
  const { db, clock, gateway } = deps
  const setup = await findCardSetup(db, setupId)
  if (setup?.state !== 'open' || setup.ref === null || setup.gateway !== gateway.name) return
  const outcome = await gateway.readSetup({ setupId, ref: setup.ref })
  if (outcome.kind === 'unknown') throw new Error(`the gateway does not tell of a card page: ${outcome.why}`)
  if (outcome.kind === 'open') return await enqueueSetupRead(db, setupId, new Date(clock.now().getTime() + readEveryMs))
  await db.transaction().execute(async (trx) => {
    await deps.lockAccount(trx, setup.userid)
    const locked = await lockCardSetup(trx, setupId)
    if (locked?.state !== 'open') return
    const at = clock.now()
    await endCardSetup(trx, setupId, outcome.kind, at)
    if (outcome.kind === 'done') {
      if (locked.replaces !== null) await deps.beforeOtherCard(trx, setup.userid)
      const cardId = await keepCard(trx, gateway, locked, outcome, at)
      if (cardId !== undefined) await deps.onCardReady(trx, setup.userid, cardId)
    }
    await publishChange(trx, { account: setup.userid, topic: 'billing', id: setupId })
  })
}

/** Gives its id where it is new. The first is the default, and one that takes another's place is what that one was. */
async function keepCard(
  trx: Trx,
  { name: gateway }: PaymentGateway,
  { userid, replaces }: CardSetup,
  { card, facts }: Extract<SetupOutcome, { kind: 'done' }>,
  at: Date,
): Promise<string | undefined> {
  const before = await listCards(trx, userid, gateway)
  const refs = { customer_ref: card.customer, card_ref: card.card }
  const known = { brand: facts.brand, last4: facts.last4, exp_month: facts.expMonth, exp_year: facts.expYear }
  const { fingerprint } = facts
  const row = { id: newId('pm'), userid, gateway, ...refs, ...known, fingerprint, created_at: at }
  if (!(await insertCard(trx, row))) return undefined
  const old = before.find(({ id }) => id === replaces)
  if (old) {
    await removeCard(trx, old.id, at)
    await detachLater(trx, old)
  }
  if (before.length === 0 || old?.is_default) await setDefaultCard(trx, userid, row.id)
  // Entered on a page without a session; who opened it is who owns it.
  const source = { actor: { userid, sessionId: null }, ip: null }
  await recordCard(trx, source, old ? 'card.replace' : 'card.add', { card: row, before: old })
  return row.id
}
