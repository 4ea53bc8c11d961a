import type { InvoiceDocument, InvoiceLine } from '../views/lines/invoice-document.ts'

const words = (text: string) => ({ 'en-US': text, 'zh-CN': text })
export const period = { period_start: new Date('2026-09-04T10:02:11Z'), period_end: new Date('2026-10-04T10:02:11Z') }

/** A line that a cluster's worker was charged for. */
export function workerLine(line: number, cluster: string, worker: string, amount: number, discount = 0): InvoiceLine {
  return {
    ...period,
    line,
    proration: false,
    amount_minor: amount,
    discount_minor: discount,
    explain: { rule: 'prepaid', price: amount, periodSeconds: 2_592_000, fromSecond: 0, rounded: amount },
    shares: [],
    of: { kind: 'instance', terms: { title: words('Bay 2') }, cluster, worker },
  }
}

/** An invoice of these lines that is open: its sums are theirs. */
export function openInvoice(lines: readonly InvoiceLine[]): InvoiceDocument {
  const gross_minor = lines.reduce((sum, line) => sum + line.amount_minor, 0)
  const discount_minor = lines.reduce((sum, line) => sum + line.discount_minor, 0)
  return {
    issuer: { product: 'Atoll', name: 'Atoll Example Ltd', address: ['1 Harbour Street', 'Frankfurt'] },
    account: { name: 'lena@lagoon.example', id: 'user_7k3qd', zone: 'UTC' },
    invoice: {
      number: 'ATL-7K3QD-0028',
      currency: 'usd',
      gross_minor,
      discount_minor,
      total_minor: gross_minor - discount_minor,
      coupon: discount_minor > 0 ? 'REEF10' : null,
      issued_at: new Date('2026-09-04T10:02:11Z'),
      reopened: 0,
      lost_minor: 0,
      valid_until: new Date('2026-09-05T10:02:11Z'),
      state: 'open',
      closed_at: null,
    },
    lines,
    payments: [],
    credits: [],
  }
}

/** A renewal that was paid after a decline, and a worker of it that was destroyed later. */
export function paidInvoice(): InvoiceDocument {
  const document = openInvoice([
    { ...workerLine(1, '', '', 900), of: { kind: 'plan', terms: { title: words('Basic') } } },
    {
      ...workerLine(2, '', '', 1440, 144),
      of: { kind: 'instance', terms: { title: { 'en-US': 'Bay 4', 'zh-CN': '海湾 4' } }, cluster: 'Rangiroa' },
    },
    workerLine(3, 'Rangiroa', 'rangiroa-w1', 720, 72),
    {
      ...workerLine(4, 'Rangiroa', 'rangiroa-w2', 384, 38),
      period_start: new Date('2026-09-18T12:30:00Z'),
      proration: true,
    },
    {
      ...workerLine(5, '', '', 123_456),
      of: { kind: 'usage', product: 'cloud_traffic' },
      explain: {
        rule: 'usage',
        measure: 'flow',
        periodSeconds: 2_592_000,
        exact: '123456/1',
        rounded: 123_456,
        parts: [
          {
            start: '2026-09-04T10:02:11.000Z',
            seconds: 2_592_000,
            used: '31864000000',
            quota: '1000000000',
            above: '79994880000000000',
            rate: '0.04',
          },
        ],
      },
      shares: [
        { clusterId: 'cl_1', name: 'Rangiroa', used: '20000000000' },
        { clusterId: 'cl_2', name: 'Fakarava', used: '11864000000' },
      ],
    },
  ])
  const none = { promo_minor: 0, balance_minor: 0, rolled_minor: 0, collected_minor: 0 }
  const card = { brand: 'visa', last4: '4242' }
  const total = document.invoice.total_minor
  return {
    ...document,
    invoice: { ...document.invoice, state: 'paid', valid_until: null, closed_at: new Date('2026-09-05T10:03:00Z') },
    payments: [
      {
        ...none,
        state: 'declined',
        card_minor: total,
        card,
        created_at: document.invoice.issued_at,
        ended_at: new Date('2026-09-04T10:02:40Z'),
      },
      {
        ...none,
        state: 'succeeded',
        promo_minor: 500,
        balance_minor: 250,
        card_minor: total - 750,
        card,
        created_at: new Date('2026-09-05T10:02:59Z'),
        ended_at: new Date('2026-09-05T10:03:00Z'),
      },
    ],
    credits: [
      {
        issued_at: new Date('2026-09-20T08:00:00Z'),
        receivable_minor: 0,
        lines: [{ line: 3, amount_minor: 360, discount_minor: 36 }],
      },
    ],
  }
}
