import {
  type Customer,
  CustomerFilter,
  customerLook,
  customerNote,
  customerShow,
  customersExportPath,
  customersPage,
} from '@atoll/contract/staff'
import type { FastifyPluginAsync } from 'fastify'
import { csvExportPlugin } from '../../../http/csv-export.ts'
import type { Authenticate } from '../../../http/request/authenticate-request.ts'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type CsvColumns, countAbout } from '../../../platform/paging/index.ts'
import { findName, requireFreshSession } from '../../accounts/index.ts'
import { recordStaff } from '../acts/record-staff.ts'
import { type CustomerDeps, describeCustomer } from '../customers/customer-detail.ts'
import { readCustomers } from '../customers/customer-list.ts'
import { beginLook, goOnLooking, type LookDeps, neededConsent, writeNote } from '../customers/customer-look.ts'
import { narrowCustomers } from '../customers/customer-query.ts'
import { customerRows, toCustomer } from '../customers/customer-rows.ts'

export type CustomerRouteDeps = CustomerDeps & LookDeps

/** Calls about customers: the list, one with everything, why it is looked at, notes. */
export function customerRoutes(deps: CustomerRouteDeps): Route[] {
  const { db } = deps
  return [
    implement(customersPage, async ({ page, rowsPerPage, ...filter }, { account }) => {
      const { rows, figures } = await readCustomers(db, filter, { page, rowsPerPage }, neededConsent(deps, account))
      return { customers: rows.map(toCustomer), ...figures }
    }),
    implement(customerShow, async ({ accountId }, { account }) => {
      const { did: userid, look, waits } = await goOnLooking(deps, account, accountId)
      const person = { accountId, userid, terminusName: await findName(db, accountId) }
      if (!look) return { person, look: null, waits, customer: null }
      const customer = (await describeCustomer(deps, accountId, account.userid)) ?? null
      return { person, look: { reason: look.reason, since: look.begun_at.toISOString() }, waits, customer }
    }),
    implement(customerLook, async (body, { account }) => {
      await beginLook(deps, account, body)
      return {}
    }),
    implement(customerNote, async (body, { account }) => {
      await writeNote(deps, account, body)
      return {}
    }),
  ]
}

const major = (minor: number | null) => (minor === null ? null : (minor / 100).toFixed(2))

const columns: CsvColumns<Customer> = {
  account: ({ person }) => person.accountId,
  id: ({ person }) => person.terminusName,
  did: ({ person }) => person.userid,
  email: ({ email }) => email,
  state: ({ state }) => state,
  plan: ({ planLevel }) => planLevel,
  clusters: ({ clusters }) => clusters,
  currency: ({ currency }) => currency,
  balance: ({ balance }) => major(balance),
  owed: ({ owed }) => major(owed),
  monthly: ({ monthly }) => major(monthly),
  last_seen: ({ lastSeenAt }) => lastSeenAt,
  customer_since: ({ createAt }) => createAt,
}

/** The rows of the list, as CSV: only for staff who signed in just now, and recorded. */
export function customersExport(
  deps: { db: Db; clock: Clock; authenticate: Authenticate } & Pick<LookDeps, 'config'>,
): FastifyPluginAsync {
  const { db, authenticate } = deps
  return csvExportPlugin<CustomerFilter, Customer>(authenticate, {
    path: customersExportPath,
    reach: 'staff',
    fileName: 'customers.csv',
    filter: CustomerFilter,
    columns,
    async admit(caller, { sort: _, ...filter }, rows) {
      await requireFreshSession(deps, caller)
      const narrowed = Object.keys(filter).length > 0 && { filter: JSON.stringify(filter) }
      const facts = { rows, ...narrowed }
      await db
        .transaction()
        .execute((trx) => recordStaff(trx, 'support.export', { owner: caller.userid, caller, facts }))
    },
    async count(caller, filter) {
      return (await countAbout(db, narrowCustomers(db, filter, neededConsent(deps, caller)))).rowsNumber
    },
    async read(caller, filter, limit, last) {
      // In an order that nothing moves meanwhile.
      const needs = neededConsent(deps, caller)
      let query = customerRows(db, needs)
        .where('accounts.account_id', 'in', narrowCustomers(db, filter, needs))
        .orderBy('accounts.account_id')
        .limit(limit)
      if (last) query = query.where('accounts.account_id', '>', last.person.accountId)
      return (await query.execute()).map(toCustomer)
    },
  })
}
