/** `/v1/operator/customers`: whom the deployment serves, as staff see them. No secrets are in any answer. */
import { z } from 'zod'
import { AccountExport, AccountExportId } from '../accounts/exports.ts'
import { Hold } from '../accounts/holds.ts'
import { mailStates } from '../accounts/profile.ts'
import { ClusterType } from '../clusters/cluster-kinds.ts'
import { ClusterStatus } from '../clusters/status.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, Currency, IsoTime, WireInt } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { AccountId, ActReason } from './approvals.ts'
import { StaffPerson } from './members.ts'
import { byStaff, readByStaff } from './who-calls.ts'

/** The first that fits. */
export const customerStates = ['suspended', 'closing', 'pastDue', 'active'] as const
export type CustomerState = (typeof customerStates)[number]
export const customerSorts = ['lastSeen', 'owed', 'monthly', 'balance', 'name'] as const

export const Customer = z.object({
  person: StaffPerson,
  email: z.string().nullable(),
  state: z.enum(customerStates),
  planLevel: z.int(),
  clusters: z.int(),
  currency: Currency.nullable(),
  /** Minor units: credit, what is to be paid, and what a month costs without usage. Null: it takes consent. */
  balance: z.int().nullable(),
  owed: z.int().nullable(),
  monthly: z.int().nullable(),
  lastSeenAt: IsoTime,
  createAt: IsoTime,
})
export type Customer = z.infer<typeof Customer>

const filters = {
  /**
   * The beginning of an ID, DID or email (all of the email where consent is asked), from 3 characters anywhere in the
   * ID; the whole number of an invoice, id of a payment, id or name of a cluster, host or address.
   */
  search: z.string().trim().min(2).max(128).optional(),
  state: z.enum(customerStates).optional(),
  plan: WireInt.pipe(z.int().min(0).max(3)).optional(),
  currency: Currency.optional(),
  sort: z.enum(customerSorts).default('lastSeen'),
}
export const CustomerFilter = z.strictObject(filters)
export type CustomerFilter = z.infer<typeof CustomerFilter>

export const customersPage = defineCall({
  name: 'customersPage',
  path: '/v1/operator/customers/page',
  ...readByStaff,
  topics: ['account'],
  summary: 'Customers, who was seen last first, or by what is asked for.',
  body: pageQuery(filters),
  data: pageOf({ customers: z.array(Customer) }),
})
export const customersExportPath = '/v1/operator/customers/export'

export const CustomerCluster = z.object({
  clusterId: ClusterId,
  name: z.string(),
  clusterType: ClusterType,
  status: ClusterStatus,
  regionId: z.string().nullable(),
  version: z.string().nullable(),
  cpuCoreCount: z.int(),
  memorySize: z.int(),
  workers: z.int(),
  createAt: IsoTime,
})

export const CustomerNote = z.object({ number: z.int(), text: z.string(), at: IsoTime, by: StaffPerson })

export const CustomerDetail = Customer.extend({
  role: z.string(),
  locale: z.string(),
  zone: z.string().nullable(),
  vCpuQuota: z.int(),
  disputed: z.int(),
  paid: z.int(),
  invoices: z.int(),
  cards: z.array(z.object({ brand: z.string(), last4: z.string(), isDefault: z.boolean() })),
  /** Other accounts on which a card of the same look is: brand, last four and expiry. */
  sameCards: z.array(StaffPerson),
  holds: z.array(Hold),
  /** When it ends; null: it is not closing. */
  closesAt: IsoTime.nullable(),
  clusterList: z.array(CustomerCluster),
  notes: z.array(CustomerNote),
  domains: z.array(z.object({ domain: z.string(), status: z.string() })),
  latestInvoices: z.array(
    z.object({
      invoiceId: z.string(),
      number: z.string(),
      kind: z.string(),
      state: z.string(),
      total: z.int(),
      /** The rest that is owed, where it can be written off. */
      owed: z.int().nullable(),
      currency: Currency,
      createAt: IsoTime,
    }),
  ),
  mails: z.array(
    z.object({ mailId: z.string(), at: IsoTime, kind: z.string(), to: z.string(), state: z.enum(mailStates) }),
  ),
  sessions: z.array(
    z.object({
      id: z.string(),
      browser: z.string().nullable(),
      system: z.string().nullable(),
      kind: z.string(),
      ip: z.string().nullable(),
      lastSeenAt: IsoTime,
    }),
  ),
  /** With when it was last complete, and when all of it was last read back. */
  backups: z.array(
    z.object({
      backupId: z.string(),
      clusterId: z.string(),
      completedAt: IsoTime.nullable(),
      provedAt: IsoTime.nullable(),
    }),
  ),
  /** The newest archive that the reader asked for. */
  export: AccountExport.nullable(),
  disputes: z.array(
    z.object({ disputeId: z.string(), reason: z.string(), state: z.string(), amount: z.int(), at: IsoTime }),
  ),
  payments: z.array(
    z.object({
      paymentId: z.string(),
      number: z.string(),
      card: z.int(),
      /** So much may go back to its card, and be given back of its invoice. */
      toCard: z.int(),
      creditable: z.int(),
      currency: Currency,
      createAt: IsoTime,
    }),
  ),
  actions: z.array(z.object({ seq: z.int(), at: IsoTime, action: z.string(), by: z.string().nullable() })),
})
export type CustomerDetail = z.infer<typeof CustomerDetail>

export const customerShow = defineCall({
  name: 'customerShow',
  path: '/v1/operator/customers/show',
  ...readByStaff,
  topics: ['account'],
  summary: 'One customer, to staff that said why they look; to others only that they are to say it.',
  body: z.strictObject({ accountId: AccountId }),
  data: z.object({
    person: StaffPerson,
    /** Why this staff member looks, for a day; null: not said yet. */
    look: z.object({ reason: z.string(), since: IsoTime }).nullable(),
    /** The reason is said, and the customer has to allow the look first. */
    waits: z.boolean(),
    customer: CustomerDetail.nullable(),
  }),
})

export const customerLook = defineCall({
  name: 'customerLook',
  path: '/v1/operator/customers/look',
  ...byStaff,
  topics: ['account'],
  summary: 'Says why this staff member opens a customer, who reads that in their activity.',
  body: z.strictObject({ accountId: AccountId, reason: ActReason }),
})

export const customerNote = defineCall({
  name: 'customerNote',
  path: '/v1/operator/customers/note',
  ...byStaff,
  topics: ['account'],
  summary: 'Writes a note about a customer that only staff read.',
  body: z.strictObject({ accountId: AccountId, text: z.string().trim().min(1).max(2000) }),
})

export const customerExport = defineCall({
  name: 'customerExport',
  path: '/v1/operator/customers/export-data',
  reach: 'operator',
  rate: 'costly',
  topics: ['account'],
  summary: 'Asks for an archive of all data about a customer, for one who asked by mail; after signing in just now.',
  body: z.strictObject({ accountId: AccountId, reason: ActReason }),
  data: z.object({ exportId: AccountExportId }),
})
