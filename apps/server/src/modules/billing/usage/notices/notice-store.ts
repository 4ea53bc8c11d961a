import type { MeteredProduct, Notice, NoticeKey } from '@atoll/contract/billing'
import type { ColumnType } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'

interface UsageNoticesTable {
  userid: string
  product_type: MeteredProduct
  key: NoticeKey
  /** jsonb: read as the value, written as JSON text. */
  params: ColumnType<Notice['params'], string, string>
  since: Date | null
  until: Date
}

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    usage_notices: UsageNoticesTable
  }
}

export interface NoticeRow {
  product_type: MeteredProduct
  key: NoticeKey
  params: Notice['params']
  /** Since when it is so; null: from before that was kept. */
  since: Date | null
  until: Date
}

/** The last notice of each product, also where it is over. */
export async function listNotices(db: Db, userid: string): Promise<NoticeRow[]> {
  return await db
    .selectFrom('usage_notices')
    .select(['product_type', 'key', 'params', 'since', 'until'])
    .where('userid', '=', userid)
    .orderBy('product_type')
    .execute()
}

/** Whether the last notice says that nothing more of a product is taken, and its period has not ended. */
export async function isUsageStopped(db: Db, userid: string, product: MeteredProduct, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('usage_notices')
    .select('userid')
    .where('userid', '=', userid)
    .where('product_type', '=', product)
    .where('key', '=', 'usageLimited')
    .where('until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the notice of the product. */
export async function putNotice(trx: Trx, userid: string, { params, ...notice }: NoticeRow): Promise<void> {
  const values = { ...notice, params: JSON.stringify(params) }
  await trx
    .insertInto('usage_notices')
    .values({ userid, ...values })
    .onConflict((conflict) => conflict.columns(['userid', 'product_type']).doUpdateSet(values))
    .execute()
}

/** False where there is no notice, or not `key`. */
export async function removeNotice(
  trx: Trx,
  userid: string,
  product: MeteredProduct,
  key?: NoticeKey,
): Promise<boolean> {
  const query = trx.deleteFrom('usage_notices').where('userid', '=', userid).where('product_type', '=', product)
  const { numDeletedRows } = await (key ? query.where('key', '=', key) : query).executeTakeFirst()
  return numDeletedRows > 0n
}
