import type { Locale } from '@atoll/contract/wire'
import { fillText, formOf, joinSentences, type TextParams } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
import { reasonText } from '@atoll/texts/reasons'
import type { MailedInvoice, MailFacts, MailKindName } from './mail-facts.ts'
import type { Figures } from './mail-figures.ts'
import { invoiceTable, type MailTable, paidBy, receiptTable, renewalTable, whatFor } from './mail-tables.ts'

/** The parts of a mail, except the reason why it was sent. */
interface MailParts {
  subject: string
  /** Shown in lists beside the subject. */
  preview: string
  heading: string
  before: string[]
  facts?: { label: string; value: string }[]
  table?: MailTable
  /** The one button: a page of the console. */
  action?: { label: string; path: string }
  after: string[]
  /** The invoice whose PDF is attached. */
  pdfOf?: string
}

type Writers = {
  [Kind in MailKindName]: (facts: MailFacts[Kind], figures: Figures, locale: Locale) => MailParts
}

/** A mail whose subject says what its heading does, and whose first sentence is its preview. */
function plainMail(
  heading: string,
  before: readonly [string, ...string[]],
  more: Partial<Pick<MailParts, 'facts' | 'table' | 'action' | 'after' | 'pdfOf'>> = {},
): MailParts {
  const { after = [], ...shown } = more
  return { subject: heading, preview: before[0], heading, before: [...before], ...shown, after }
}

const textsOf = (locale: Locale) => mailTexts[locale].billing

/** Names in a row: `a, b and c`, `a、b、c`. */
function listed(names: readonly string[], { list, listEnd }: { list: string; listEnd: string }): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(list)}${listEnd}${names.at(-1)}`
}

const toInvoice = ({ id }: MailedInvoice, locale: Locale) => ({
  label: textsOf(locale).open.invoice,
  path: `/payment/${id}`,
})
const toPay = ({ id, due }: MailedInvoice, figures: Figures, locale: Locale) => ({
  label: fillText(textsOf(locale).open.pay, { amount: figures.money(due) }),
  path: `/payment/${id}`,
})
const toBilling = (locale: Locale, label: 'billing' | 'cap' | 'plans' = 'billing') => ({
  label: textsOf(locale).open[label],
  path: '/billing',
})
const toBalance = (locale: Locale) => ({ label: textsOf(locale).open.balance, path: '/balanceDetail' })

/** How what is renewed is paid, as the account stands now. */
function howPaid(
  { promo, balance, card, rolled }: MailFacts['renewalSoon']['split'],
  figures: Figures,
  locale: Locale,
) {
  const { split: t } = textsOf(locale)
  const has = [
    ...(promo.minor > 0 ? [fillText(t.promo, { amount: figures.money(promo) })] : []),
    ...(balance.minor > 0 ? [fillText(t.balance, { amount: figures.money(balance) })] : []),
    ...(card.minor > 0 ? [fillText(t.card, { amount: figures.money(card) })] : []),
  ]
  const paid = has.length > 0 ? [fillText(t.paid, { means: listed(has, t) })] : []
  const left = rolled.minor > 0 ? [fillText(t.rolled, { amount: figures.money(rolled) })] : []
  return joinSentences([...paid, ...left], locale) || t.none
}

/** The consequence if a bill stays unpaid. */
function consequence(clusters: readonly string[], stopsAt: Date, keptUntil: Date, figures: Figures, locale: Locale) {
  const t = textsOf(locale)
  return fillText(clusters.length > 0 ? t.consequence : t.consequencePlan, {
    clusters: listed(clusters, t),
    stopsAt: figures.deadline(stopsAt),
    keptUntil: figures.deadline(keptUntil),
  })
}

export const mailWriters: Writers = {
  receipt: (facts, figures, locale) => {
    const { receipt: t, split } = textsOf(locale)
    const { invoice, at } = facts
    const table = receiptTable(facts, locale, figures)
    const { means, rolled } = paidBy(facts, locale, figures)
    return plainMail(
      fillText(t.heading, { amount: table.total?.value ?? '' }),
      [fillText(t.what, { what: whatFor(invoice, locale) })],
      {
        table,
        after: [
          ...(means.length > 0 ? [fillText(t.paid, { means: listed(means, split) })] : []),
          ...(rolled ? [fillText(split.rolled, { amount: rolled })] : []),
          fillText(t.invoice, { number: invoice.number, at: figures.time(at) }),
        ],
        action: toInvoice(invoice, locale),
        pdfOf: invoice.id,
      },
    )
  },
  renewalSoon: (facts, figures, locale) => {
    const { renewalSoon: t } = textsOf(locale)
    const params = { amount: figures.money(facts.total), day: figures.day(facts.at) }
    return plainMail(fillText(t.heading, params), [t.before], {
      table: renewalTable(facts, locale, figures),
      action: toBilling(locale),
      after: [joinSentences([howPaid(facts.split, figures, locale), t.after], locale)],
    })
  },
  failed: ({ invoice, code, nextAt, stopsAt, keptUntil, at }, figures, locale) => {
    const { failed: t, inBilling } = textsOf(locale)
    return plainMail(
      fillText(t.heading, { amount: figures.money(invoice.due) }),
      [
        code ? reasonText({ key: code }, locale) : t.noCard,
        nextAt ? fillText(t.next, { day: figures.day(nextAt) }) : t.last,
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures, locale),
        after: [
          joinSentences([fillText(t.tried, { at: figures.time(at) }), inBilling], locale),
          ...(stopsAt && keptUntil ? [consequence(invoice.clusters, stopsAt, keptUntil, figures, locale)] : []),
        ],
      },
    )
  },
  approve: ({ invoice, amount, stopsAt, keptUntil }, figures, locale) => {
    const { approve: t, open } = textsOf(locale)
    const params = { amount: figures.money(amount), ...(stopsAt && { stopsAt: figures.deadline(stopsAt) }) }
    return plainMail(fillText(stopsAt ? t.headingBy : t.heading, params), [stopsAt ? t.beforeBy : t.before], {
      facts: [
        { label: t.for, value: whatFor(invoice, locale) },
        ...(stopsAt ? [{ label: t.by, value: figures.deadline(stopsAt) }] : []),
        ...(stopsAt && keptUntil
          ? [{ label: t.otherwise, value: consequence(invoice.clusters, stopsAt, keptUntil, figures, locale) }]
          : []),
      ],
      table: invoiceTable(invoice, locale, figures),
      action: { label: fillText(open.approve, params), path: `/payment/${invoice.id}` },
      after: [t.after],
    })
  },
  orderLapses: ({ invoice, at }, figures, locale) => {
    const { orderLapses: t, inBilling } = textsOf(locale)
    return plainMail(t.heading, [fillText(t.before, { what: whatFor(invoice, locale), at: figures.deadline(at) })], {
      table: invoiceTable(invoice, locale, figures),
      action: toPay(invoice, figures, locale),
      after: [inBilling],
    })
  },
  stopped: ({ invoice, until }, figures, locale) => {
    const { stopped: t, inBilling } = textsOf(locale)
    const { params, hasClusters } = stoppedBy(invoice, figures, locale, until)
    const stops = hasClusters ? (formOf({ ...t }, 'before', invoice.clusters.length, locale) ?? '') : t.beforePlan
    return plainMail(
      fillText(hasClusters ? t.heading : t.headingPlan, params),
      [fillText(t.tries, params), fillText(stops, params), t.nothingNew],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures, locale),
        after: [joinSentences([...(hasClusters ? [t.after] : []), inBilling], locale)],
      },
    )
  },
  daysLeft: ({ invoice, days, until }, figures, locale) => {
    const { daysLeft: t, inBilling } = textsOf(locale)
    const { params, hasClusters } = stoppedBy(invoice, figures, locale, until)
    const heading = formOf({ ...t }, 'heading', days, locale) ?? ''
    return plainMail(
      fillText(heading, { ...params, days }),
      [fillText(hasClusters ? t.before : t.beforePlan, params)],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures, locale),
        after: [inBilling],
      },
    )
  },
  destroyed: ({ invoice }, figures, locale) => {
    const { destroyed: t } = textsOf(locale)
    const { params, hasClusters } = stoppedBy(invoice, figures, locale)
    return plainMail(
      fillText(hasClusters ? t.heading : t.headingPlan, params),
      [fillText(t.before, params), ...(hasClusters ? [t.gone] : [])],
      { table: invoiceTable(invoice, locale, figures), action: toPay(invoice, figures, locale), after: [t.after] },
    )
  },
  restored: ({ invoice }, figures, locale) => {
    const { restored: t } = textsOf(locale)
    const { params, hasClusters } = stoppedBy(invoice, figures, locale)
    return plainMail(
      fillText(hasClusters ? t.heading : t.headingPlan, params),
      [fillText(t.before, { number: invoice.number }), ...(hasClusters ? [t.starts] : [])],
      { action: toInvoice(invoice, locale) },
    )
  },
  cardExpires: ({ brand, last4, month, year }, _figures, locale) => {
    const { cardExpires: t } = textsOf(locale)
    const number = locale === 'zh-CN' ? month : String(month).padStart(2, '0')
    return plainMail(fillText(t.heading, { last4 }), [fillText(t.before, { brand, last4, month: number, year })], {
      action: toBilling(locale),
      after: [t.after],
    })
  },
  plan: ({ name, at }, figures, locale) => {
    const { plan: t } = textsOf(locale)
    const params = { name: name[locale], at: figures.time(at) }
    return plainMail(fillText(t.heading, params), [fillText(t.before, params)], { action: toBilling(locale) })
  },
  cap: ({ percent, used, cap }, figures, locale) => {
    const { cap: t } = textsOf(locale)
    const isFull = percent >= 100
    return plainMail(fillText(isFull ? t.headingFull : t.heading, { percent }), [isFull ? t.beforeFull : t.before], {
      table: {
        rows: [{ label: t.used, value: figures.money(used) }],
        total: { label: t.cap, value: figures.money(cap) },
      },
      action: toBilling(locale, 'cap'),
    })
  },
  refundReturned: ({ amount, at }, figures, locale) => {
    const { refundReturned: t } = textsOf(locale)
    return plainMail(fillText(t.heading, { amount: figures.money(amount) }), [t.before], {
      action: toBalance(locale),
      after: [fillText(t.after, { at: figures.time(at) })],
    })
  },
  refundDone: ({ amount, at }, figures, locale) => {
    const { refundDone: t } = textsOf(locale)
    return plainMail(fillText(t.heading, { amount: figures.money(amount) }), [t.before], {
      action: toBalance(locale),
      after: [fillText(t.after, { at: figures.time(at) })],
    })
  },
  refund: ({ name, toBalance: back, offOwed, toPromo, at }, figures, locale) => {
    const { refund: t } = textsOf(locale)
    const rows = [
      { label: t.toBalance, amount: back },
      { label: t.offOwed, amount: offOwed },
      { label: t.toPromo, amount: toPromo },
    ].filter(({ amount }) => amount.minor > 0)
    return plainMail(fillText(t.heading, { name, amount: figures.money(rows[0]?.amount ?? toPromo) }), [t.before], {
      table: { rows: rows.map(({ label, amount }) => ({ label, value: figures.money(amount) })) },
      action: toBalance(locale),
      after: [fillText(t.after, { at: figures.time(at) })],
    })
  },
  usage: ({ product, percent, used, quota, unitLabel, isLimited, rate, endsAt }, figures, locale) => {
    const { usage: t, products } = textsOf(locale)
    const params = { name: products[product], percent, day: figures.day(endsAt) }
    const above = rate && fillText(t.above, { unit: unitLabel, rate: figures.rate(rate) })
    const isFull = percent === 100
    const next = [isFull ? t.fullText : fillText(t.partText, params), above ?? (isFull ? '' : t.stops)].filter(Boolean)
    return plainMail(
      fillText(isLimited ? t.limited : isFull ? t.full : t.part, params),
      [isLimited ? fillText(t.limitedText, params) : joinSentences(next, locale)],
      {
        table: {
          rows: [{ label: t.used, value: figures.amount(used, unitLabel) }],
          total: { label: t.quota, value: figures.amount(quota, unitLabel) },
        },
        action: toBilling(locale, 'plans'),
        after: [t.after],
      },
    )
  },
}

/** The clusters that a bill stops, and the texts' parameters for it; without one it is about the plan. */
function stoppedBy({ clusters, due }: MailedInvoice, figures: Figures, locale: Locale, until?: Date) {
  const params: TextParams = {
    clusters: listed(clusters, textsOf(locale)),
    amount: figures.money(due),
    ...(until && { until: figures.deadline(until) }),
  }
  return { params, hasClusters: clusters.length > 0 }
}
