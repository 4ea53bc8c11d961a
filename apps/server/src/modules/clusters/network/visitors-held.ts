import { type RawBuilder, sql } from 'kysely'
import { heldScopeOf } from '../../accounts/index.ts'

/**
 * For a query over clusters: how far visitors of one are turned away; null: they are not. A machine of an owner's own
 * only leaves the console when the account closes, and serves until then.
 */
export function visitorsHeldOf(): RawBuilder<'servers' | 'visitors' | null> {
  const isOwn = sql`${sql.ref('clusters.cluster_type')} = 'SelfHost'`
  return heldScopeOf(sql.ref('clusters.owner'), sql.ref('clusters.id'), { servesUntilEnd: isOwn })
}
