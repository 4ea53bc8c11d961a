import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { GatewayName } from '../gateway.ts'

interface PaymentMethodsTable {
  /** `pm_…` */
  id: string
  userid: string
  gateway: GatewayName
  customer_ref: string
  card_ref: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
  created_at: Date
  removed_at: Generated<Date | null>
}
export type PaymentMethod = Selectable<PaymentMethodsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    payment_methods: PaymentMethodsTable
  }
}

/** The account's cards at `gateway`, the default first, then the newest. */
export async function listCards(db: Db | Trx, userid: string, gateway: GatewayName): Promise<PaymentMethod[]> {
  return await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('userid', '=', userid)
    .where('gateway', '=', gateway)
    .where('removed_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** A card that a payment names, removed or not. */
export async function findCard(db: Db, id: string): Promise<PaymentMethod | undefined> {
  return await db.selectFrom('payment_methods').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when the gateway's card is known already. */
export async function insertCard(trx: Trx, card: Omit<PaymentMethod, 'is_default' | 'removed_at'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_methods')
    .values({ ...card, is_default: false })
    .onConflict((on) => on.columns(['gateway', 'card_ref']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function removeCard(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('payment_methods').set({ removed_at: at, is_default: false }).where('id', '=', id).execute()
}

/** Makes one card the account's default, or none of them. */
export async function setDefaultCard(trx: Trx, userid: string, id: string | undefined): Promise<void> {
  // In two steps: an account has one default at every moment, the database says.
  await trx.updateTable('payment_methods').set({ is_default: false }).where('userid', '=', userid).execute()
  if (id !== undefined)
    await trx.updateTable('payment_methods').set({ is_default: true }).where('id', '=', id).execute()
}

/** The gateway's id of the account's customer, from any card it ever had there. */
export async function findCustomer(db: Db, userid: string, gateway: GatewayName): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_methods')
    .select('customer_ref')
    .where('userid', '=', userid)
    .where('gateway', '=', gateway)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.customer_ref
}
