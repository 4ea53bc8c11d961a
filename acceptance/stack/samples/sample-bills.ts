/** Answers about money: an account with every kind of document in it, and one that was never charged. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'

type Invoice = CallData<typeof contract.invoicesDetail>
type Payment = CallData<typeof contract.paymentDetail>
type Subscription = CallData<typeof contract.subscriptionsDetail>

const day = 86_400_000
const at = (days: number) => new Date(Date.now() - days * day).toISOString()
const seconds = (days: number) => Math.floor((Date.now() - days * day) / 1000)
const currency = 'usd' as const
const nothing = { fromPromo: 0, fromBalance: 0, toCard: 0, rolledOver: 0, collected: 0 }
const visa = { cardBrand: 'visa', cardLast4: '4242' }

export const sampleCustomer: CallData<typeof contract.customerInfo> = {
  cashBalance: -472,
  currency,
  defaultPayMethod: { id: 'pm_sample001', ...visa },
  promoBalance: 704,
  zone: 'UTC',
  standing: 'unpaid',
  now: at(0),
  clockOffset: 0,
  canTravel: true,
}

/** A renewal was not paid, and the clock has stopped before that destroys a cluster. */
export const overdueCustomer: typeof sampleCustomer = {
  ...sampleCustomer,
  standing: 'overdue',
  openInvoice: {
    invoiceId: 'iv_sample0031',
    number: 'ATL-7K3QD-0031',
    kind: 'renewal',
    amount: 2160,
    createAt: at(13),
  },
  clockOffset: 40 * day,
  travel: { to: at(-30), stoppedBefore: [{ clusterId: 'cl_sample009', name: 'Kauehi' }] },
}

export const sampleInvoiceId = 'iv_sample0031'
export const samplePaymentId = 'pay_sample0030'
export const sampleSubscriptionId = 'sub_sample001'

const tries: Invoice['payments'] = [
  {
    paymentId: 'pay_sample0029',
    kind: 'card',
    status: 'declined',
    amount: 2160,
    toCard: 1688,
    createAt: at(0.2),
    endAt: at(0.2),
    cardBrand: 'mastercard',
    cardLast4: '5100',
    reason: 'There is not enough money on the card.',
  },
  {
    paymentId: 'pay_sample0031',
    kind: 'card',
    status: 'needs_action',
    amount: 2160,
    toCard: 1688,
    createAt: at(0.1),
    ...visa,
  },
]

const explain: Invoice['items'][number]['explain'] = {
  rule: 'prepaid',
  price: 1440,
  periodSeconds: 2_678_400,
  fromSecond: 0,
  rounded: 1440,
}
const backupExplain: Invoice['items'][number]['explain'] = {
  rule: 'usage',
  measure: 'stock',
  periodSeconds: 2_678_400,
  exact: '271250000000000/1000000000000',
  rounded: 271,
  parts: [
    {
      start: at(31),
      seconds: 2_678_400,
      used: '177125000',
      quota: '150000000',
      rate: '0.10',
      above: String(27_125_000n * 2_678_400n),
    },
  ],
}
const backupSum: Invoice['items'][number]['sum'] = {
  used: '177.125 GB-\u2060months',
  included: '150 GB-\u2060months',
  above: '27.125 GB-\u2060months',
  rate: '$0.10',
  amount: '$2.71',
  plan: 'Basic',
}
const givenBack: Invoice['creditNotes'][number] = {
  creditNoteId: 'cn_sample0001',
  createAt: at(2),
  toBalance: 62,
  toPromo: 0,
  offInvoice: 0,
  reason: 'Backups above the quota: readings were corrected',
  items: [{ line: 1, amount: 62, discount: 0 }],
}
/** The later months of a coupon for three months. */
const ahead: Invoice['ahead'] = [
  { at: at(-28), amount: 720, code: 'SPRING', goesOn: false },
  { at: at(-59), amount: 720, code: 'SPRING', goesOn: false },
  { at: at(-90), amount: 1440, goesOn: true },
]
const item: Invoice['items'][number] = {
  line: 1,
  productType: 'Instance',
  amount: 1440,
  discount: 144,
  quantity: 1,
  of: 'Manihi, master',
  proration: false,
  priceInfo: { productName: 'Tide 4', amount: 1440 },
  instanceId: 'in_unpaid0001',
  subscriptionId: sampleSubscriptionId,
  periodStart: seconds(3),
  periodEnd: seconds(-28),
  explain,
  formula: ['$14.40 × 1 month = $14.40', 'Coupon REEF10: 10 % of $14.40 = $1.44'],
}

/** The newest waits for its bank; the others are paid in every way there is. */
function invoices(): Invoice[] {
  const paid = [
    { ...nothing, fromPromo: 1296 },
    { ...nothing, toCard: 271 },
    { ...nothing, fromBalance: 310, toCard: 2534 },
    { ...nothing, rolledOver: 47 },
  ]
  return Array.from({ length: 31 }, (_, index): Invoice => {
    const number = 31 - index
    const split = paid[index % paid.length] ?? nothing
    const isUsage = index % paid.length === 1
    const amount = split.fromPromo + split.fromBalance + split.toCard + split.rolledOver
    const facts = {
      invoiceId: `iv_sample${String(number).padStart(4, '0')}`,
      number: `ATL-7K3QD-${String(number).padStart(4, '0')}`,
      createAt: at(index * 7 + 0.3),
      currency,
      periodStart: seconds(index * 7),
      periodEnd: seconds(index * 7 - 31),
    } as const
    if (index === 0) {
      return {
        ...facts,
        kind: 'order',
        status: 'open',
        summary: 'Order, Tide 6 in Helsinki',
        amount: 2160,
        gross: 2400,
        validUntil: at(-0.9),
        paidBy: [],
        discount: 240,
        coupon: 'REEF10',
        payments: tries,
        creditNotes: [],
        items: [
          {
            ...item,
            amount: 2400,
            discount: 240,
            priceInfo: { productName: 'Tide 6', amount: 2400 },
            formula: ['$24.00 × 1 month = $24.00', 'Coupon REEF10: 10 % of $24.00 = $2.40'],
          },
        ],
        actions: ['pay', 'cancel'],
      }
    }
    const paymentId = `pay_sample${String(number).padStart(4, '0')}`
    const kind = split.toCard > 0 ? 'card' : 'Balance'
    return {
      ...facts,
      kind: isUsage ? 'usage' : 'renewal',
      status: index === 5 ? 'void' : 'paid',
      amount,
      gross: amount,
      summary: isUsage ? 'Backup above quota' : 'Manihi',
      discount: 0,
      paidBy: [kind],
      actions: [],
      payment: { ...split, paymentId, status: 'succeeded', ...(split.toCard > 0 && visa) },
      items: [
        {
          ...item,
          productType: isUsage ? 'cloud_backup' : 'Instance',
          amount,
          discount: 0,
          ...(isUsage && { explain: backupExplain, sum: backupSum }),
          priceInfo: { productName: isUsage ? 'Backups above the quota' : 'Tide 4', amount: isUsage ? 0 : 1440 },
          formula: isUsage
            ? [
                '177.125 GB-\u2060months − 150 GB-\u2060months included = 27.125 GB-\u2060months × $0.10 = $2.71',
                'By cluster: Manihi 120.5 GB-\u2060months, Rangiroa 56.625 GB-\u2060months',
              ]
            : ['$14.40 × 1 month = $14.40'],
        },
      ],
      payments: [
        {
          paymentId,
          kind,
          status: 'succeeded',
          amount,
          createAt: facts.createAt,
          endAt: facts.createAt,
          toCard: split.toCard,
          ...(split.toCard > 0 && visa),
        },
      ],
      creditNotes: isUsage ? [givenBack] : [],
      ...(index === 2 && { ahead }),
    }
  })
}

function payments(of: readonly Invoice[]): Payment[] {
  return of.flatMap((invoice) =>
    invoice.payments.map((attempt, index): Payment => {
      const { invoiceId, number: invoiceNumber, summary, validUntil, actions } = invoice
      return {
        ...attempt,
        currency,
        invoiceId,
        invoiceNumber,
        summary,
        attempt: index + 1,
        actions,
        attempts: invoice.payments,
        split: invoice.payment ?? { ...nothing, fromBalance: 472, toCard: attempt.amount - 472 },
        ...(validUntil && { validUntil }),
        ...(attempt.status === 'needs_action' && { actionUrl: 'http://atoll.test/pay/sandbox/3ds' }),
      }
    }),
  )
}

const instance = (name: string, role: 'master' | 'worker') => ({
  instanceId: `in_${name.replace('-', '')}01`,
  name,
  role,
})
const subscriptionItem = (name: string, role: 'master' | 'worker', days: number) => ({
  subscriptionItemId: `si_${name}`,
  quantity: 1,
  status: 'active' as const,
  createAt: at(days),
  priceInfo: { productName: role === 'master' ? 'Tide 4' : 'Tide 2', amount: role === 'master' ? 1440 : 720, currency },
  instance: instance(name, role),
})

function subscriptions(of: readonly Invoice[]): Subscription[] {
  const all = { currency, periodStart: seconds(14), periodEnd: seconds(-17), invoices: of.slice(1, 5), actions: [] }
  const [open] = of
  return [
    {
      ...all,
      subscriptionId: 'sub_sample002',
      kind: 'cluster',
      name: 'Manihi',
      clusterId: 'cl_unpaid001',
      status: 'unpaid',
      amount: 2400,
      instances: 1,
      createAt: at(0.1),
      validUntil: at(-0.9),
      ...(open && { openInvoiceId: open.invoiceId, invoices: [open] }),
      subscriptionItemsInfo: [
        {
          ...subscriptionItem('master', 'master', 0.1),
          status: 'unpaid',
          priceInfo: { productName: 'Tide 6', amount: 2400, currency },
        },
      ],
      actions: ['pay', 'cancel'],
    },
    {
      ...all,
      subscriptionId: sampleSubscriptionId,
      kind: 'cluster',
      name: 'Rangiroa',
      clusterId: 'cl_running01',
      status: 'active',
      amount: 2880,
      instances: 3,
      createAt: at(74),
      subscriptionItemsInfo: [
        subscriptionItem('master', 'master', 74),
        subscriptionItem('worker-1', 'worker', 6),
        subscriptionItem('worker-2', 'worker', 1),
      ],
    },
    {
      ...all,
      subscriptionId: 'sub_sample003',
      kind: 'plan',
      name: 'Basic plan',
      status: 'active',
      amount: 900,
      instances: 0,
      createAt: at(74),
      pending: { planLevel: 1, planName: 'Starter', at: at(-17) },
      subscriptionItemsInfo: [
        {
          subscriptionItemId: 'si_plan',
          quantity: 1,
          status: 'active',
          createAt: at(74),
          priceInfo: { productName: 'Basic plan', amount: 900, currency },
        },
      ],
    },
  ]
}

const records: CallData<typeof contract.balancePage>['balanceChangeRecord'] = [
  {
    seq: 118,
    createAt: at(1),
    type: 'hold',
    of: 'promo',
    amount: 1296,
    balance: -704,
    description: 'Paid, renewal of Manihi',
    invoiceId: 'iv_sample0030',
    invoiceNumber: 'ATL-7K3QD-0030',
  },
  {
    seq: 114,
    createAt: at(8),
    type: 'credit_note',
    of: 'balance',
    amount: -472,
    balance: -472,
    description: 'Refund, worker rangiroa-w2 destroyed',
  },
  {
    seq: 50,
    createAt: at(90),
    type: 'roll',
    of: 'balance',
    amount: 47,
    balance: 47,
    description: 'Rolled over: under $1.00, no card charge',
  },
]

/** A page of `rows` as `fields` ask for it. */
function pageOf<Row>(rows: readonly Row[], fields: URLSearchParams) {
  const [page, rowsPerPage] = [Number(fields.get('page') ?? 1), Number(fields.get('rowsPerPage') ?? 20)]
  const first = (page - 1) * rowsPerPage
  return { rows: rows.slice(first, first + rowsPerPage), page, rowsPerPage, rowsNumber: rows.length }
}

/** `isNew`: nothing was ever charged, and there is no card. */
export function sampleBills(isNew: boolean): [Call, unknown][] {
  const all = isNew ? [] : invoices()
  const tried = payments(all)
  const sold = subscriptions(all)
  const find = <Row>(rows: readonly Row[], matches: (row: Row) => boolean) => rows.find(matches) ?? rows[0]
  const customer = isNew
    ? { ...sampleCustomer, cashBalance: 0, promoBalance: 0, defaultPayMethod: null, standing: 'clear' as const }
    : sampleCustomer
  return [
    [contract.customerInfo, customer],
    [
      contract.invoicesPage,
      (fields: URLSearchParams) => {
        const listed = fields.get('kind') === 'usage' ? all.filter(({ kind }) => kind === 'usage') : all
        const { rows, ...figures } = pageOf(listed, fields)
        const toPay = isNew ? { count: 0, amount: 0, currency } : { count: 1, amount: 2160, currency }
        return { invoices: rows, ...figures, toPay }
      },
    ],
    [
      contract.invoicesDetail,
      (fields: URLSearchParams) => find(all, ({ invoiceId }) => invoiceId === fields.get('invoiceId')),
    ],
    [
      contract.paymentPage,
      (fields: URLSearchParams) => {
        const { rows, ...figures } = pageOf(tried, fields)
        return { paymentInfo: rows, ...figures }
      },
    ],
    [
      contract.paymentDetail,
      (fields: URLSearchParams) => find(tried, ({ paymentId }) => paymentId === fields.get('paymentId')),
    ],
    [
      contract.subscriptionsPage,
      (fields: URLSearchParams) => {
        const { rows, ...figures } = pageOf(isNew ? [] : sold, fields)
        return { subscriptions: rows, ...figures }
      },
    ],
    [
      contract.subscriptionsDetail,
      (fields: URLSearchParams) => find(sold, ({ subscriptionId }) => subscriptionId === fields.get('subscriptionId')),
    ],
    [
      contract.balancePage,
      (fields: URLSearchParams) => {
        const { rows, ...figures } = pageOf(isNew ? [] : records, fields)
        const promo = isNew ? [] : [{ amount: 704, expiresAt: at(-100) }]
        return { balanceChangeRecord: rows, ...figures, currency, promo, postings: isNew ? 0 : 118 }
      },
    ],
    [
      contract.currentPaymentInfo,
      {
        currency,
        amount: 2160,
        invoiceItemsInfo: [],
        subscriptionUpdateInfo: null,
        validUntil: at(-0.9),
        split: { fromPromo: 704, fromBalance: 472, toCard: 984, rolledOver: 0, collected: 0 },
      },
    ],
    [
      contract.paymentPay,
      {
        paid: false,
        status: 'needs_action',
        paymentId: 'pay_sample0031',
        invoiceId: sampleInvoiceId,
        actionUrl: 'http://atoll.test/pay/sandbox/3ds',
      },
    ],
    [
      contract.paymentMethodList,
      {
        methods: isNew
          ? []
          : [
              {
                id: 'pm_sample001',
                ...visa,
                expMonth: 8,
                expYear: 2030,
                isDefault: true,
                state: 'active',
                lastDeclinedAt: null,
              },
              {
                id: 'pm_sample002',
                cardBrand: 'mastercard',
                cardLast4: '5100',
                expMonth: 4,
                expYear: 2030,
                isDefault: false,
                state: 'active',
                lastDeclinedAt: at(2),
              },
            ],
      },
    ],
    [contract.paymentMethodAdd, { url: 'http://atoll.test/pay/sandbox/card' }],
    [contract.cancelNoPaid, { status: 'canceled' }],
  ]
}
