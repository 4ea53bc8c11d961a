/** Which customers a list has: found and narrowed. */
import type { CustomerFilter, CustomerState } from '@atoll/contract/staff'
import { type Expression, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { holderOf } from '../../abuse/index.ts'
import { accountsLike, type CustomerNarrowing, customerIds, isClosing, isHeld } from '../../accounts/index.ts'
import { ownerOfInvoice, ownerOfPayment, pastDueOf } from '../../billing/index.ts'
import { ownerOfCluster } from '../../clusters/index.ts'

const conditionsOf = (userid: Expression<unknown>) => ({
  suspended: isHeld(userid, { whole: true }),
  closing: isClosing(userid),
  pastDue: pastDueOf(userid),
})

/** The first state that fits. */
export function stateOf(userid: Expression<unknown>) {
  const { suspended, closing, pastDue } = conditionsOf(userid)
  return sql<CustomerState>`case when ${suspended} then 'suspended' when ${closing} then 'closing'
    when ${pastDue} then 'pastDue' else 'active' end`
}

/** The same as a condition, each part of which the database answers from the rows that there are of it. */
function isIn(state: CustomerState, userid: Expression<unknown>) {
  const { suspended, closing, pastDue } = conditionsOf(userid)
  if (state === 'suspended') return suspended
  if (state === 'closing') return sql<boolean>`${closing} and not ${suspended}`
  const isOpen = sql<boolean>`not ${suspended} and not ${closing}`
  return state === 'pastDue' ? sql<boolean>`${pastDue} and ${isOpen}` : sql<boolean>`not ${pastDue} and ${isOpen}`
}

/** For `like`: the beginning of a text as it is typed. */
const escaped = (text: string) => text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')

/** Anywhere in the ID from so many characters. */
const anywhereFrom = 3

/** Each way to find somebody is a query of its own, for which the database may use an index. */
function foundBy(search: string, { isWholeEmail }: { isWholeEmail: boolean }) {
  const beginning = `${escaped(search)}%`
  const name = search.length >= anywhereFrom ? `%${beginning}` : beginning
  const email = isWholeEmail ? escaped(search) : beginning
  return sql<string>`(${accountsLike({ name, did: beginning, email })} union all ${ownerOfInvoice(search.toUpperCase())}
    union all ${ownerOfPayment(search)} union all ${ownerOfCluster(search)} union all ${holderOf(search)})`
}

/** Without this look, which customers allow, the reader sees neither email nor money, nor finds by part of an email. */
export type NeededLook = { staffId: string; since: Date } | undefined

/** The ids of the customers in a list, `visit.userid`, in no order. */
export function narrowCustomers(
  db: Db,
  { search, state, plan, currency }: Omit<CustomerFilter, 'sort' | 'currency'> & CustomerNarrowing,
  needs: NeededLook,
) {
  let query = customerIds(db, { plan, currency })
  if (search !== undefined)
    query = query.where('visit.userid', 'in', foundBy(search, { isWholeEmail: needs !== undefined }))
  if (state !== undefined) query = query.where(({ ref }) => isIn(state, ref('visit.userid')))
  return query
}
