import * as contract from '@atoll/contract/everything'
import { daysAgo, minutesAgo } from './sample-facts.ts'
import { colleague } from './sample-staff-people.ts'

/** The twelve months until the one at hand. */
function months(): contract.MoneyMonth[] {
  const now = new Date()
  return Array.from({ length: 12 }, (_, at) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + at, 1)).toISOString().slice(0, 7)
    const revenue = 412_000 + at * 24_000
    return {
      month,
      revenue,
      instance: revenue - 60_000,
      plan: 50_000,
      usage: 18_000,
      discount: 5000,
      collected: revenue - 20_000,
      refunded: at * 1000,
      writtenOff: 3000,
    }
  })
}

/** The deployment's money as it is when staff ask. */
export function money(): contract.DeploymentMoney {
  const one = { person: colleague, number: 'ATL-9PX4M-0012', amount: 2880 }
  return {
    months: months(),
    before: 581_230,
    writtenOffCount: 31,
    overdue: {
      amount: 38_640,
      customers: 12,
      ages: contract.overdueAges.map((age, at) => ({ age, amount: at * 6440, count: at + 1 })),
      rows: [
        {
          ...one,
          invoiceId: 'inv_sample0011',
          dueAt: daysAgo(17),
          tries: 4,
          stoppedAt: daysAgo(12),
          destroyAt: daysAgo(-2),
        },
        {
          ...one,
          invoiceId: 'inv_sample0013',
          number: 'ATL-9PX4M-0013',
          dueAt: daysAgo(2),
          tries: 1,
          stoppedAt: null,
          destroyAt: null,
        },
      ],
    },
    disputes: [
      {
        ...one,
        disputeId: 'dp_sample001',
        reason: 'fraudulent',
        state: 'open',
        withdrawn: 2880,
        openedAt: daysAgo(2),
        dueBy: daysAgo(-7),
        answer: null,
      },
      {
        ...one,
        disputeId: 'dp_sample002',
        reason: 'product_not_received',
        state: 'open',
        withdrawn: 1440,
        openedAt: daysAgo(20),
        dueBy: daysAgo(-3),
        answer: { way: 'evidence', at: daysAgo(14), isSent: true },
      },
    ],
    unknown: [{ ...one, paymentId: 'pay_sample0014', since: minutesAgo(28), asked: 9, ref: null }],
    ended: [
      { code: null, count: 22 },
      { code: 'bankUnreachable', count: 7 },
    ],
    refunds: [{ ...one, refundId: 'rf_sample001', at: daysAgo(1) }],
    captures: [
      { ref: 'pi_sample001', person: null, number: 'ATL-9PX4M-0009', at: daysAgo(1), amount: 2340 },
      { ref: 'pi_sample002', person: colleague, number: null, at: daysAgo(1), amount: 2340 },
    ],
    parked: [{ person: colleague, since: daysAgo(1), why: '21 invoices in a day' }],
    verified: { at: minutesAgo(610), books: 824, transactions: 41_208, problem: null },
  }
}
