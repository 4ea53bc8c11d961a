/** Orders of instances as billing sells them: who may order, and what the order answers of its money. */
import type { OrderOutcome } from '@atoll/contract/clusters'
import type { Currency } from '@atoll/money'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { type CatalogOffering, type InstanceTerms, termsOfOffering } from '../../../catalog/index.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { saveMove } from '../../instances/instance-store.ts'
import { type InstanceOperation, insertOperation } from '../../operations/operation-store.ts'
import type { InstanceRow } from '../../tables.ts'

type Sale = Parameters<ClusterDeps['billing']['sell']>[1]

/** The terms at which each instance of an offering is sold; only the owner may order an offering that costs money. */
export function termsFor(
  cloudName: string,
  offering: CatalogOffering,
  { currency, isOwner }: { currency: Currency; isOwner: boolean },
): InstanceTerms {
  const terms = termsOfOffering(cloudName, offering, currency)
  if (!terms) throw new Error(`The offering ${offering.name} was found and is not sold in ${currency}`)
  return terms.amount > 0 && !isOwner ? refuse('ownerOnly') : terms
}

/**
 * Orders instances that were just written, and has those made that are paid: with what is free, all of them; the others
 * wait to be paid with nothing at the provider.
 */
export async function sellInstances(
  deps: ClusterDeps,
  trx: Trx,
  {
    instances,
    terms,
    operation,
    ...sale
  }: Omit<Sale, 'instances'> & {
    instances: readonly InstanceRow[]
    terms: InstanceTerms
    operation: Omit<InstanceOperation, 'status'>
  },
): Promise<OrderOutcome & { status: 'fetching' | 'unpaid' }> {
  const items = instances.map(({ id }) => ({ instanceId: id, terms }))
  const { invoiceId, paid, amount } = await deps.billing.sell(trx, { ...sale, instances: items })
  const status = paid ? 'fetching' : 'unpaid'
  for (const instance of paid ? instances : []) {
    if (instance.status === 'unpaid') {
      await saveMove(trx, instance, { to: { status, resume_stack: [] }, at: operation.at, error: null })
    }
    await insertOperation(trx, instance, { ...operation, status })
  }
  if (paid) return { status, ...(invoiceId !== null && { invoiceId }), amount: amount.minor, paid }
  return { status, ...(await readOutcome(deps, trx, sale.userid, invoiceId)) }
}

/** The answer to an order whose card is being charged, read again once the charge has ended or needs the customer. */
export async function awaitPayment<Placed extends OrderOutcome>(
  { db, billing }: ClusterDeps,
  userid: string,
  placed: Placed,
  renew: (db: Db, kept: Placed) => Promise<Placed>,
): Promise<Placed> {
  if (!placed.pending || placed.invoiceId === undefined) return placed
  await billing.awaitOrder(userid, placed.invoiceId)
  return await renew(db, placed)
}

/** The outcome of an order so far. */
export async function readOutcome(
  { billing }: ClusterDeps,
  db: Db,
  userid: string,
  invoiceId: string | null | undefined,
): Promise<OrderOutcome> {
  if (!invoiceId) return { amount: 0, paid: true }
  const { amount, paid, pending, actionUrl, ...newest } = await billing.outcome(db, userid, invoiceId)
  return {
    ...newest,
    amount: amount.minor,
    paid,
    ...(pending && { pending }),
    ...(actionUrl !== null && { actionUrl }),
  }
}

/** The status that is answered of an order: what was paid for a moment ago is, until the reconciler says so. */
export function statusOf<Status extends string>(status: Status, { paid }: OrderOutcome): Status | 'paid' {
  return paid && status === 'unpaid' ? 'paid' : status
}

/** The status that instances have now, the first of them for all. */
export async function readStatus(db: Db, instanceId: string): Promise<InstanceRow['status']> {
  const row = await db.selectFrom('instances').select('status').where('id', '=', instanceId).executeTakeFirstOrThrow()
  return row.status
}
