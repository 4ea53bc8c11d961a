/**
 * The list of customers in the order that is asked for. An order by a figure comes in parts: each is answered by an
 * index or by the few rows that have the figure, however many customers there are.
 */
import type { CustomerFilter } from '@atoll/contract/staff'
import { currencies, type PageQuery } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type ListPart, partOf, readLongPage } from '../../../platform/paging/index.ts'
import { accountNames } from '../../accounts/index.ts'
import { type NeededLook, narrowCustomers } from './customer-query.ts'
import { customerRows, figures, isShown } from './customer-rows.ts'

export async function readCustomers(db: Db, filter: CustomerFilter, page: PageQuery, needs?: NeededLook) {
  return await readLongPage(
    db,
    {
      all: narrowCustomers(db, filter, needs),
      parts: partsOf(db, filter, needs),
      read: (ids) => customerRows(db, needs).where('accounts.account_id', 'in', ids).execute(),
      idOf: ({ account_id }) => account_id,
    },
    page,
  )
}

function partsOf(db: Db, { sort, ...filter }: CustomerFilter, needs: NeededLook): ListPart[] {
  const all = narrowCustomers(db, filter, needs)
  switch (sort) {
    case 'lastSeen':
      return [partOf(all.orderBy('visit.last_seen_at', 'desc').orderBy('visit.userid'))]
    case 'name': {
      const isNamed = sql<boolean>`exists (select from ${accountNames} named where named.userid = visit.userid)`
      return [
        partOf(all.innerJoin(accountNames.as('named'), 'named.userid', 'visit.userid').orderBy('named.name')),
        partOf(all.where(sql<boolean>`not ${isNamed}`).orderBy('visit.userid')),
      ]
    }
    default: {
      const inEach = filter.currency === undefined ? currencies.toSorted() : [filter.currency]
      const parts = inEach.flatMap((currency) => partsByFigure(db, { ...filter, sort, currency }, needs))
      if (filter.currency !== undefined) return parts
      // Nothing was ever charged to these.
      return [...parts, partOf(narrowCustomers(db, { ...filter, currency: null }, needs).orderBy('visit.userid'))]
    }
  }
}

/** In one currency the largest first, and at the end those whose figure is not shown. */
function partsByFigure(
  db: Db,
  { sort, ...filter }: CustomerFilter & { sort: keyof typeof figures },
  needs: NeededLook,
): ListPart[] {
  const { of, amounts, counts } = figures[sort]
  const all = narrowCustomers(db, filter, needs)
  const shown = all.where(({ ref }) => isShown(ref('visit.userid'), needs))
  const having = shown
    .innerJoin(amounts.as('figure'), 'figure.userid', 'visit.userid')
    .where(({ ref }) => counts(ref('visit.userid')))
    .orderBy('figure.amount', 'desc')
    .orderBy('visit.userid')
  const hidden = all.where(({ ref, not }) => not(isShown(ref('visit.userid'), needs)))
  return [
    partOf(having.where('figure.amount', '>', 0)),
    partOf(shown.where(({ ref }) => sql<boolean>`${of(ref('visit.userid'))} = 0`).orderBy('visit.userid')),
    partOf(having.where('figure.amount', '<', 0)),
    ...(needs ? [partOf(hidden.orderBy('visit.userid'))] : []),
  ]
}
