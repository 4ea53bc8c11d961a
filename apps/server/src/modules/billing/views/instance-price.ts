import type { MonthlyPrice } from '@atoll/contract/clusters'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { termsOf } from '../../catalog/index.ts'

/** For a query over instances: what each was sold for, as long as it is; null for what is free. */
export function instancePriceOf(instanceId: Expression<string>): RawBuilder<MonthlyPrice | null> {
  return sql<MonthlyPrice | null>`(
    select json_build_object('amount', price.terms -> 'amount', 'currency', price.terms -> 'currency',
      'interval', price.terms -> 'interval')
    from subscription_items as item
    cross join lateral (select ${termsOf(sql.ref('item.price_id'))}::json as terms) as price
    where item.instance_id = ${instanceId} and item.state not in ('canceled', 'ended'))`
}
