import type { CustomerDetail, StaffPerson } from '@atoll/contract/staff'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { customerIds, findDid, findName, listSignedIn, listSuspensions, toHold } from '../../accounts/index.ts'
import { actionsOf } from '../../audit/index.ts'
import { listProved } from '../../backups/index.ts'
import { listNewestInvoices, listOwnDisputes, listPaidPayments, readPaid } from '../../billing/index.ts'
import { listClusterFigures } from '../../clusters/index.ts'
import { listDomains } from '../../domains/index.ts'
import { findNameOfDid } from '../../identity/index.ts'
import { listMailsOf } from '../../mail/index.ts'
import { type GatewayName, listCards, listSameCards } from '../../payments/index.ts'
import { describeExport, findClosing } from '../../rights/index.ts'
import { listNotes } from '../stores/note-store.ts'
import { customerRows, toCustomer } from './customer-rows.ts'

export interface CustomerDeps {
  db: Db
  clock: Clock
  gateway: { name: GatewayName }
  getLimits(db: Db, userid: string): Promise<{ vCpuQuota: number }>
}

/** So many of each list stand on a customer's page. */
const mostRows = 20

/** Everything on a customer's page; undefined: there is no such account. */
export async function describeCustomer(
  { db, clock, gateway, getLimits }: CustomerDeps,
  accountId: string,
  reader: string,
): Promise<CustomerDetail | undefined> {
  const row = await customerRows(db)
    .where('accounts.account_id', '=', accountId)
    .where('accounts.account_id', 'in', customerIds(db, {}))
    .executeTakeFirst()
  if (!row) return undefined
  const userid = row.account_id
  const [limits, money, cards, same, holds, clusters, notes, domains, invoices, payments, actions] = await Promise.all([
    getLimits(db, userid),
    readPaid(db, userid),
    listCards(db, userid, gateway.name),
    listSameCards(db, userid),
    listSuspensions(db, accountId),
    listClusterFigures(db, userid),
    listNotes(db, accountId),
    listDomains(db, userid),
    listNewestInvoices(db, userid, mostRows),
    listPaidPayments(db, userid, mostRows),
    actionsOf(db, row.did).select('seq').limit(mostRows).execute(),
  ])
  const [mails, sessions, backups, disputes] = await Promise.all([
    listMailsOf(db, userid),
    listSignedIn(db, userid, clock.now()),
    listProved(db, userid),
    listOwnDisputes(db, userid),
  ])
  const isoOf = (at: Date) => at.toISOString()
  return {
    ...toCustomer(row),
    role: row.role,
    locale: row.locale,
    zone: row.zone,
    vCpuQuota: limits.vCpuQuota,
    disputed: Number(money.disputed),
    paid: Number(money.paid),
    invoices: Number(money.invoices),
    cards: cards.map(({ brand, last4, is_default: isDefault }) => ({ brand, last4, isDefault })),
    sameCards: await Promise.all(same.map((other) => personOf(db, other))),
    holds: holds.map(toHold),
    closesAt: (await findClosing(db, userid))?.until?.toISOString() ?? null,
    clusterList: clusters.map((one) => ({ ...one, createAt: isoOf(one.createAt) })),
    notes: await Promise.all(
      notes.map(async ({ number, text, at, written_by }) => ({
        number,
        text,
        at: isoOf(at),
        by: await personOf(db, written_by),
      })),
    ),
    domains: domains.map(({ name: domain, status }) => ({ domain, status })),
    latestInvoices: invoices.map((one) => ({
      invoiceId: one.id,
      number: one.number,
      kind: one.kind,
      state: one.state,
      total: Number(one.total_minor),
      owed: one.may_write_off ? Number(one.due) : null,
      currency: one.currency,
      createAt: isoOf(one.issued_at),
    })),
    payments: payments.map((one) => ({
      paymentId: one.id,
      number: one.number,
      card: Number(one.card_minor),
      toCard: Number(one.to_card),
      creditable: Number(one.creditable),
      currency: one.currency,
      createAt: isoOf(one.created_at),
    })),
    // The newest first.
    mails: mails
      .slice(-mostRows)
      .reverse()
      .map(({ id, created_at, kind, recipient: to, state }) => ({
        mailId: id,
        at: isoOf(created_at),
        kind,
        to,
        state,
      })),
    sessions,
    backups: backups.map(({ completedAt, provedAt, ...backup }) => ({
      ...backup,
      completedAt: completedAt && isoOf(completedAt),
      provedAt: provedAt && isoOf(provedAt),
    })),
    export: await describeExport(db, userid, reader),
    disputes: disputes.map(({ id, reason, state, amount_minor: amount, opened_at }) => ({
      disputeId: id,
      reason,
      state,
      amount,
      at: isoOf(opened_at),
    })),
    actions: await Promise.all(
      actions.map(async ({ seq, at, action, actor }) => ({
        seq,
        at: isoOf(at),
        action,
        by: actor === null ? null : ((await findNameOfDid(db, actor)) ?? actor),
      })),
    ),
  }
}

async function personOf(db: Db, accountId: string): Promise<StaffPerson> {
  return { accountId, userid: (await findDid(db, accountId)) ?? '', terminusName: await findName(db, accountId) }
}
