/** The figures of each customer in a list. */
import type { Customer } from '@atoll/contract/staff'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { allowsLook, customerAccounts, isClosing, isHeld } from '../../accounts/index.ts'
import {
  type Amounts,
  creditAmounts,
  creditOf,
  monthlyAmounts,
  monthlyOf,
  owedAmounts,
  owedOf,
} from '../../billing/index.ts'
import { type NeededLook, stateOf } from './customer-query.ts'

type Userid = Expression<unknown>

const clustersOf = (userid: Userid) => sql<number>`(select count(*)::int from owned_clusters
  where owned_clusters.owner = ${userid} and owned_clusters.status not in ('destroyed', 'canceled'))`

/** Whether the reader sees the customer's email and money. */
export const isShown = (userid: Userid, needs: NeededLook) => (needs ? allowsLook(userid, needs) : sql<boolean>`true`)

interface Figure {
  /** For the customer of a row. */
  of(userid: Userid): RawBuilder<number>
  /** Of all accounts: the same, where `counts` and it is not 0. */
  amounts: Amounts
  counts(userid: Userid): RawBuilder<boolean>
}

const always = () => sql<boolean>`true`
/** An account that is suspended or closing costs nothing a month. */
const goesOn = (userid: Userid) => sql<boolean>`(not ${isHeld(userid, { whole: true })} and not ${isClosing(userid)})`

export const figures: Record<'balance' | 'owed' | 'monthly', Figure> = {
  balance: { of: creditOf, amounts: creditAmounts, counts: always },
  owed: { of: owedOf, amounts: owedAmounts, counts: always },
  monthly: {
    of: (userid) => sql<number>`case when ${goesOn(userid)} then ${monthlyOf(userid)} else 0 end`,
    amounts: monthlyAmounts,
    counts: goesOn,
  },
}

/** Customers with their figures, to be narrowed and ordered. */
export function customerRows(db: Db, needs?: NeededLook) {
  return customerAccounts(db).select((from) => {
    const userid = from.ref('accounts.account_id')
    const shown = <T>(value: Expression<T>) => sql<T | null>`case when ${isShown(userid, needs)} then ${value} end`
    return [
      stateOf(userid).as('state'),
      clustersOf(userid).as('clusters'),
      shown(from.ref('accounts.email')).as('shown_email'),
      shown(figures.balance.of(userid)).as('balance'),
      shown(figures.owed.of(userid)).as('owed'),
      shown(figures.monthly.of(userid)).as('monthly'),
    ]
  })
}

export type CustomerRow = Awaited<ReturnType<ReturnType<typeof customerRows>['executeTakeFirstOrThrow']>>

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
    monthly: numberOf(row.monthly),
    lastSeenAt: row.last_seen_at.toISOString(),
    createAt: row.created_at.toISOString(),
  }
}
