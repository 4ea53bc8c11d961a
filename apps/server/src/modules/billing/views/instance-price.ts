import type { MonthlyPrice } from '@atoll/contract/clusters'
import { type Expression, type RawBuilder, sql } from 'kysely'

/** For a query over instances: what each was sold for, as long as it is; null for what is free. */
export function instancePriceOf(instanceId: Expression<string>): RawBuilder<MonthlyPrice | null> {
  return sql<MonthlyPrice | null>`(
    select json_build_object('amount', price.terms::json -> 'amount', 'currency', price.terms::json -> 'currency',
      'interval', price.terms::json -> 'interval')
    from subscription_items as item
    join prices as price on price.id = item.price_id
    where item.instance_id = ${instanceId} and item.state not in ('canceled', 'ended'))`
}
