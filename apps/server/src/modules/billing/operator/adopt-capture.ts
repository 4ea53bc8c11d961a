import { formatMajorUnits, type Money } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { getUserid, lockOperated } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { type Capture, findCustomerOwner, type PaymentGateway } from '../../payments/index.ts'
import { type AdoptedCapture, findAdoptedCapture, keepCapture, listUnknownCaptures } from '../records/capture-store.ts'
import { enqueueMovements } from '../records/movements-queue.ts'

export interface AdoptDeps {
  db: Db
  clock: Clock
  gateway: Pick<PaymentGateway, 'name' | 'listCaptures'>
}

/**
 * Adopts a capture that is unknown here, as after a restore: it becomes credit of the account that paid it, and owed
 * bills are tried again with it. `which`: our own id that it carries, or the gateway's. `who`: the account, needed if
 * no card of the gateway's customer is known here. Throws errors that the operator can correct.
 */
export async function adoptCapture(
  deps: AdoptDeps,
  which: string,
  who?: string,
): Promise<{ userid: string; amount: Money }> {
  const { capture, userid } = await getLostCapture(deps, which, who)
  await deps.db.transaction().execute((trx) => takeOver(deps, trx, userid, capture))
  return { userid, amount: capture.amount }
}

/** The capture and whose it is; throws where something here stands for it, or nobody is known to have paid it. */
export async function getLostCapture(
  { db, gateway }: AdoptDeps,
  which: string,
  who?: string,
): Promise<{ capture: Capture; userid: string }> {
  const [capture] = await listUnknownCaptures(db, gateway.name, await findCaptures(gateway, which))
  if (!capture) {
    const isAdopted = (await findAdoptedCapture(db, which)) !== undefined
    if (isAdopted) throw new OperatorError(`${which} was adopted before.`)
    throw new OperatorError(`There is no payment ${which}, and ${gateway.name} has no capture of that name.`)
  }
  const owner = capture.customer === null ? undefined : await findCustomerOwner(db, gateway.name, capture.customer)
  const userid = who === undefined ? owner : await getUserid(db, who)
  if (userid === undefined) throw new OperatorError(`No card of who paid ${which} is known here: name the account.`)
  if (owner !== undefined && owner !== userid) throw new OperatorError(`${which} was paid by another: ${owner}.`)
  return { capture, userid }
}

export async function takeOver(
  { clock, gateway }: AdoptDeps,
  trx: Trx,
  owner: string,
  capture: Capture,
): Promise<AdoptedCapture> {
  const { userid, currency, now } = await lockOperated(trx, owner)
  const { amount, pays, ref } = capture
  if (amount.currency !== currency)
    throw new OperatorError(`${ref} is in ${amount.currency}, the account in ${currency}.`)
  const [unknown] = await listUnknownCaptures(trx, gateway.name, [capture])
  if (!unknown) throw new OperatorError(`${ref} was adopted meanwhile.`)
  const adopted = await keepCapture(trx, { userid, gateway: gateway.name, capture, at: now(clock) })
  await enqueueMovements(trx, ref)
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'payment.adopt' } as const),
    object: { kind: 'payment', id: adopted.id, owner: userid, ...(pays && { name: pays.number }) },
    before: null,
    after: { amount: formatMajorUnits(amount), currency },
  })
  return adopted
}

async function findCaptures(gateway: AdoptDeps['gateway'], which: string): Promise<Capture[]> {
  const found: Capture[] = []
  for (let after: string | null = null, goesOn = true; goesOn; ) {
    const page: Awaited<ReturnType<PaymentGateway['listCaptures']>> = await gateway.listCaptures({ after })
    if (page.kind === 'unknown') throw new OperatorError(`${gateway.name} does not say what it took: ${page.why}`)
    found.push(...page.captures.filter(({ paymentId, ref }) => paymentId === which || ref === which))
    after = page.next
    goesOn = after !== null
  }
  return found
}
