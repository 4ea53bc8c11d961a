/** The page of money: figures, what is owed, what is open, of one currency. */
import type { DeploymentMoney, StaffDispute, StaffPerson } from '@atoll/contract/staff'
import type { Currency } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { listPeople } from '../../accounts/index.ts'
import {
  countWrittenOff,
  findVerified,
  listAnswers,
  listDisputes,
  listLostCaptures,
  listOverdue,
  listParked,
  listUnknown,
  readFailures,
  readMonths,
} from '../../billing/index.ts'

const dayMs = 24 * 60 * 60_000
/** Bills that stand on the page; all are added up. */
const mostRows = 20

const isoOf = (at: Date) => at.toISOString()
const maybeIso = (at: Date | null) => at?.toISOString() ?? null

export async function showMoney(db: Db, currency: Currency, now: Date): Promise<DeploymentMoney> {
  const yearStart = new Date(Date.UTC(now.getUTCFullYear(), 0, 1))
  const [figures, overdue, allDisputes, unknown, failures, captures, parked, verified, writtenOffCount] =
    await Promise.all([
      readMonths(db, currency, now),
      listOverdue(db, currency),
      listDisputes(db),
      listUnknown(db, currency),
      readFailures(db, currency, { since: new Date(now.getTime() - dayMs), now }),
      listLostCaptures(db),
      listParked(db),
      findVerified(db),
      countWrittenOff(db, currency, yearStart),
    ])
  const disputes = allDisputes.filter((one) => one.currency === currency)
  const lost = captures.filter((one) => one.currency === currency)
  const owners = lost.map(({ account_id: id }) => id ?? undefined)
  const shown = overdue.slice(0, mostRows)
  const userids = [...shown, ...disputes, ...unknown, ...failures.refunds, ...parked].map(({ userid }) => userid)
  const people = await listPeople(db, [...userids, ...owners.filter((one) => one !== undefined)])
  const personOf = (userid: string): StaffPerson =>
    people.get(userid) ?? { accountId: userid, userid: '', terminusName: null }
  const answers = await listAnswers(
    db,
    disputes.map(({ id }) => id),
  )
  const daysOf = ({ issued_at: at }: { issued_at: Date }) => (now.getTime() - at.getTime()) / dayMs
  const sumOf = (rows: typeof overdue) => rows.reduce((sum, { due }) => sum + Number(due), 0)
  const ages = (
    [
      ['7', 0, 7],
      ['14', 7, 14],
      ['30', 14, 30],
      ['more', 30, Number.POSITIVE_INFINITY],
    ] as const
  ).map(([age, from, to]) => {
    const rows = overdue.filter((row) => daysOf(row) >= from && daysOf(row) < to)
    return { age, amount: sumOf(rows), count: rows.length }
  })
  return {
    ...figures,
    writtenOffCount,
    overdue: {
      amount: sumOf(overdue),
      customers: new Set(overdue.map(({ userid }) => userid)).size,
      ages,
      rows: shown.map((row) => ({
        invoiceId: row.id,
        person: personOf(row.userid),
        number: row.number,
        dueAt: isoOf(row.issued_at),
        tries: row.tries,
        stoppedAt: maybeIso(row.past_due_at),
        destroyAt: maybeIso(row.destroy_at),
        amount: Number(row.due),
      })),
    },
    disputes: disputes.map((row): StaffDispute => {
      const answer = answers.get(row.id)
      return {
        disputeId: row.id,
        person: personOf(row.userid),
        number: row.number,
        reason: row.reason,
        state: row.state,
        amount: row.amount_minor,
        withdrawn: row.withdrawn_minor,
        openedAt: isoOf(row.opened_at),
        dueBy: maybeIso(row.due_by),
        answer: answer ? { way: answer.way, at: isoOf(answer.answered_at), isSent: answer.sent_at !== null } : null,
      }
    }),
    unknown: unknown.map((row) => ({
      paymentId: row.id,
      person: personOf(row.userid),
      number: row.number,
      since: isoOf(row.created_at),
      asked: row.unanswered,
      ref: row.gateway_ref,
      amount: row.card_minor,
    })),
    ended: failures.ended.map(({ code, count }) => ({ code, count: Number(count) })),
    refunds: failures.refunds.map((row) => ({
      refundId: row.id,
      person: personOf(row.userid),
      number: row.number,
      at: maybeIso(row.ended_at),
      amount: row.amount_minor,
    })),
    captures: lost.map((row, index) => {
      const owner = owners[index]
      const person = owner === undefined ? null : personOf(owner)
      return { ref: row.ref, person, number: row.number, at: isoOf(row.taken_at), amount: row.amount_minor }
    }),
    parked: parked.map(({ userid, parkedAt, why }) => ({ person: personOf(userid), since: isoOf(parkedAt), why })),
    verified: verified ? { ...verified, at: isoOf(verified.at), transactions: Number(verified.transactions) } : null,
  }
}

/** Without the rows of single customers but these: sums of all customers stay. */
export function hideMoney(money: DeploymentMoney, but: ReadonlySet<string>): DeploymentMoney {
  const shown = <Row extends { person: StaffPerson | null }>(rows: Row[]) =>
    rows.filter(({ person }) => person === null || but.has(person.accountId))
  return {
    ...money,
    overdue: { ...money.overdue, rows: shown(money.overdue.rows) },
    disputes: shown(money.disputes),
    unknown: shown(money.unknown),
    refunds: shown(money.refunds),
    captures: shown(money.captures),
  }
}
