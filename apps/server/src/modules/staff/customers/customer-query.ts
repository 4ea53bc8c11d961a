import type { Customer, CustomerFilter, CustomerState } from '@atoll/contract/staff'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { holderOf } from '../../abuse/index.ts'
import { allowsLook, customerAccounts, isClosing, isHeld } from '../../accounts/index.ts'
import { creditOf, monthlyOf, owedOf, ownerOfInvoice, ownerOfPayment, pastDueOf } from '../../billing/index.ts'
import { ownerOfCluster } from '../../clusters/index.ts'
import { namedLike } from '../../identity/index.ts'

const conditionsOf = (userid: Expression<unknown>) => ({
  suspended: isHeld(userid, { whole: true }),
  closing: isClosing(userid),
  pastDue: pastDueOf(userid),
})

/** The first state that fits. */
function stateOf(userid: Expression<unknown>) {
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

const clustersOf = (userid: Expression<unknown>) => sql<number>`(select count(*)::int from owned_clusters
  where owned_clusters.owner = ${userid} and owned_clusters.status not in ('destroyed', 'canceled'))`

/** For `like`: the beginning of a text as it is typed. */
const escaped = (text: string) => text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')

/** Anywhere in the ID from so many characters. */
const anywhereFrom = 3

function matches(
  account: Record<'userid' | 'did' | 'email', Expression<unknown>>,
  search: string,
  { isWholeEmail }: { isWholeEmail: boolean },
) {
  const { userid, did, email } = account
  const beginning = `${escaped(search)}%`
  const name = search.length >= anywhereFrom ? `%${beginning}` : beginning
  return sql<SqlBool>`(${did} in ${namedLike(name)} or lower(${did}) like ${beginning}
    or lower(${email}) like ${isWholeEmail ? escaped(search) : beginning} or ${userid} in (${ownerOfInvoice(search.toUpperCase())} union all ${ownerOfPayment(search)}
      union all ${ownerOfCluster(search)} union all ${holderOf(search)}))`
}

/**
 * Customers as staff list them, in the order that is asked for. `needs`: the consent without which the reader does not
 * see email and money, nor finds by the beginning of an email.
 */
export function customersQuery(
  db: Db,
  { search, state, sort, ...narrowing }: CustomerFilter,
  needs?: { staffId: string; since: Date },
) {
  let query = customerAccounts(db, narrowing).select((from) => {
    const userid = from.ref('accounts.account_id')
    const isShown = needs ? allowsLook(userid, needs) : sql`true`
    const shown = <T>(value: Expression<T>) => sql<T | null>`case when ${isShown} then ${value} end`
    return [
      stateOf(userid).as('state'),
      clustersOf(userid).as('clusters'),
      shown(from.ref('accounts.email')).as('shown_email'),
      shown(creditOf(userid)).as('balance'),
      shown(owedOf(userid)).as('owed'),
      shown(monthlyOf(userid)).as('monthly'),
    ]
  })
  if (search !== undefined)
    query = query.where(({ ref }) =>
      matches({ userid: ref('accounts.account_id'), did: ref('accounts.did'), email: ref('accounts.email') }, search, {
        isWholeEmail: needs !== undefined,
      }),
    )
  if (state !== undefined) query = query.where(({ ref }) => isIn(state, ref('accounts.account_id')))
  switch (sort) {
    case 'name':
      return query.orderBy('name').orderBy('accounts.account_id')
    case 'owed':
    case 'balance':
      return query
        .orderBy('accounts.currency')
        .orderBy(sql`${sql.ref(sort)} desc nulls last`)
        .orderBy('accounts.account_id')
    default:
      return query.orderBy('visit.last_seen_at', 'desc').orderBy('accounts.account_id')
  }
}

export type CustomerRow = Awaited<ReturnType<ReturnType<typeof customersQuery>['executeTakeFirstOrThrow']>>

const numberOf = (value: unknown) => (value === null ? null : Number(value))

export function toCustomer(row: CustomerRow): Customer {
  return {
    person: { accountId: row.account_id, userid: row.did, terminusName: row.name },
    email: row.shown_email,
    state: row.state,
    planLevel: row.plan_level,
    clusters: row.clusters,
    currency: row.currency,
    balance: numberOf(row.balance),
    owed: numberOf(row.owed),
    monthly: row.state === 'suspended' || row.state === 'closing' ? 0 : numberOf(row.monthly),
    lastSeenAt: row.last_seen_at.toISOString(),
    createAt: row.created_at.toISOString(),
  }
}
