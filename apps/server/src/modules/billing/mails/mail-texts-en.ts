import type { MeteredProduct } from '@atoll/contract/billing'
import { reasonText } from '@atoll/texts/reasons'
import type { MailedInvoice, MailFacts } from './mail-facts.ts'
import type { Figures } from './mail-figures.ts'
import { invoiceTable, paidBy, receiptTable, renewalTable, whatFor } from './mail-tables.ts'
import { type MailTexts, plainMail } from './mail-texts.ts'

const locale = 'en-US'
const inBilling = 'You can also pay with another card there.'

const toInvoice = (id: string, label = 'Open the invoice') => ({ label, path: `/payment/${id}` })
const toPay = ({ id, due }: MailedInvoice, figures: Figures) => toInvoice(id, `Pay ${figures.money(due)}`)
const toBilling = { label: 'Open Billing', path: '/billing' }
const toBalanceDetail = { label: 'Open the balance', path: '/balanceDetail' }

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
const are = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are')

/** How what is renewed is paid, as the account stands now. */
function howPaid({ promo, balance, card, rolled }: MailFacts['renewalSoon']['split'], figures: Figures): string {
  const has = [
    ...(promo.minor > 0 ? [`promotional credit ${figures.money(promo)}`] : []),
    ...(balance.minor > 0 ? [`balance ${figures.money(balance)}`] : []),
    ...(card.minor > 0 ? [`your card ${figures.money(card)}`] : []),
  ]
  const paid = has.length > 0 ? [`As things stand it is paid by ${listed(has)}.`] : []
  const left =
    rolled.minor > 0 ? [`${figures.money(rolled)} is below the card minimum and moves to your next bill.`] : []
  return [...paid, ...left].join(' ') || 'Nothing is asked of your card.'
}

/** The consequence if a bill stays unpaid. */
function consequence(clusters: readonly string[], stopsAt: Date, keptUntil: Date, figures: Figures): string {
  return clusters.length > 0
    ? `If it is still unpaid on ${figures.deadline(stopsAt)}, ${listed(clusters)} will be stopped. Files are kept until ${figures.deadline(keptUntil)}, then they are deleted.`
    : `If it is still unpaid on ${figures.deadline(stopsAt)}, nothing new can be created. Your clusters keep running.`
}

export const enTexts: MailTexts = {
  receipt: (facts, figures) => {
    const { invoice, at } = facts
    const table = receiptTable(facts, locale, figures)
    const { means, rolled } = paidBy(facts, locale, figures)
    return plainMail(`Paid: ${table.total?.value}`, [`${whatFor(invoice, locale)}.`], {
      table,
      after: [
        ...(means.length > 0 ? [`Paid by ${listed(means)}.`] : []),
        ...(rolled ? [`${rolled} is below the card minimum and moves to your next bill.`] : []),
        `Invoice ${invoice.number}, paid on ${figures.time(at)}. The PDF is attached.`,
      ],
      action: toInvoice(invoice.id),
      pdfOf: invoice.id,
    })
  },
  renewalSoon: (facts, figures) =>
    plainMail(
      `${figures.money(facts.total)} will be due on ${figures.day(facts.at)}`,
      ['On that day the following is renewed for another month.'],
      {
        table: renewalTable(facts, locale, figures),
        action: toBilling,
        after: [`${howPaid(facts.split, figures)} You need not do anything.`],
      },
    ),
  failed: ({ invoice, code, nextAt, stopsAt, keptUntil, at }, figures) =>
    plainMail(
      `The payment of ${figures.money(invoice.due)} did not go through`,
      [
        code ? reasonText({ key: code }, locale) : 'No card can pay it.',
        nextAt
          ? `Everything keeps running. The next attempt is on ${figures.day(nextAt)}.`
          : 'This was the last of four attempts.',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: [
          `Tried on ${figures.time(at)}. ${inBilling}`,
          ...(stopsAt && keptUntil ? [consequence(invoice.clusters, stopsAt, keptUntil, figures)] : []),
        ],
      },
    ),
  approve: ({ invoice, amount, stopsAt, keptUntil }, figures) =>
    plainMail(
      stopsAt
        ? `Approve ${figures.money(amount)} by ${figures.deadline(stopsAt)}`
        : `Your bank wants you to approve ${figures.money(amount)}`,
      [
        stopsAt
          ? 'Your bank wants you to approve this payment. Nothing is paid until then, and everything keeps running.'
          : 'Nothing is paid until you approve it.',
      ],
      {
        facts: [
          { label: 'For', value: whatFor(invoice, locale) },
          ...(stopsAt ? [{ label: 'By', value: figures.deadline(stopsAt) }] : []),
          ...(stopsAt && keptUntil
            ? [{ label: 'Otherwise', value: consequence(invoice.clusters, stopsAt, keptUntil, figures) }]
            : []),
        ],
        table: invoiceTable(invoice, locale, figures),
        action: { label: `Approve ${figures.money(amount)}`, path: `/payment/${invoice.id}` },
        after: [
          'The button opens our console, and from there the page of your bank. You can also pay with another card there.',
        ],
      },
    ),
  orderLapses: ({ invoice, at }, figures) =>
    plainMail(
      'Pay within 4 hours, or your order is canceled',
      [`${whatFor(invoice, locale)}: it can be paid until ${figures.deadline(at)} and is then canceled.`],
      { table: invoiceTable(invoice, locale, figures), action: toPay(invoice, figures), after: [inBilling] },
    ),
  stopped: ({ invoice, until }, figures) =>
    plainMail(
      invoice.clusters.length > 0 ? `Stopped: ${listed(invoice.clusters)}` : 'Your bill is past due',
      [
        `${figures.money(invoice.due)} could not be collected in four attempts.`,
        invoice.clusters.length > 0
          ? `${listed(invoice.clusters)} ${are(invoice.clusters)} stopped. Files are kept until ${figures.deadline(until)}, then they are deleted.`
          : `Your clusters keep running. If it is still unpaid on ${figures.deadline(until)}, the plan falls to Free.`,
        'Nothing new can be created until it is paid.',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: [
          invoice.clusters.length > 0
            ? `Once it is paid, everything runs again within a minute, with its files. ${inBilling}`
            : inBilling,
        ],
      },
    ),
  daysLeft: ({ invoice, days, until }, figures) => {
    const left = days === 1 ? '1 day left' : `${days} days left`
    const lost =
      invoice.clusters.length > 0
        ? `${listed(invoice.clusters)} will be destroyed with all files on ${figures.deadline(until)}, unless this is paid before.`
        : `The plan falls to Free on ${figures.deadline(until)}, unless this is paid before.`
    return plainMail(`${left} to pay ${figures.money(invoice.due)}`, [lost], {
      table: invoiceTable(invoice, locale, figures),
      action: toPay(invoice, figures),
      after: [inBilling],
    })
  },
  destroyed: ({ invoice }, figures) =>
    plainMail(
      invoice.clusters.length > 0 ? `Destroyed: ${listed(invoice.clusters)}` : 'Your plan fell to Free',
      [
        `${figures.money(invoice.due)} was not paid in time.`,
        ...(invoice.clusters.length > 0 ? ['The instances and their files are gone and cannot be brought back.'] : []),
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        action: toPay(invoice, figures),
        after: ['The invoice can still be paid; then you can create again.'],
      },
    ),
  restored: ({ invoice }) =>
    plainMail(
      invoice.clusters.length > 0 ? `Running again: ${listed(invoice.clusters)}` : 'Your bill is paid',
      [
        `Invoice ${invoice.number} is paid. Thank you.`,
        ...(invoice.clusters.length > 0
          ? ['Everything that was stopped starts again within a minute, with its files.']
          : []),
      ],
      { action: toInvoice(invoice.id) },
    ),
  cardExpires: ({ brand, last4, month, year }) =>
    plainMail(
      `Your card ending ${last4} expires soon`,
      [`${brand} ending ${last4} can be charged until the end of ${String(month).padStart(2, '0')}/${year}.`],
      { action: toBilling, after: ['Add the new one, so that nothing stops.'] },
    ),
  plan: ({ name, at }, figures) =>
    plainMail(`You are on the ${name[locale]} plan`, [`The ${name[locale]} plan began on ${figures.time(at)}.`], {
      action: toBilling,
    }),
  cap: ({ percent, used, cap }, figures) =>
    plainMail(
      percent >= 100 ? 'Your spend cap is reached' : `${percent} % of your spend cap is used`,
      [
        percent >= 100
          ? 'Usage above your plan’s quota is stopped until the period ends or you raise the cap. Nothing is deleted.'
          : 'This is the cost of usage above your plan’s quota so far in this period.',
      ],
      {
        table: {
          rows: [{ label: 'Usage so far', value: figures.money(used) }],
          total: { label: 'Your cap', value: figures.money(cap) },
        },
        action: { ...toBilling, label: 'Change the cap' },
      },
    ),
  refundReturned: ({ amount, at }, figures) =>
    plainMail(
      `${figures.money(amount)} came back from your card`,
      ['Your card did not accept the refund. The amount is on your balance again.'],
      { action: toBalanceDetail, after: [`Returned on ${figures.time(at)}. The balance pays your next bills first.`] },
    ),
  refund: ({ name, toBalance, offOwed, toPromo, at }, figures) =>
    plainMail(
      `Refunded for ${name}: ${figures.money(toBalance.minor > 0 ? toBalance : offOwed.minor > 0 ? offOwed : toPromo)}`,
      ['You had paid in advance. This is the unused part.'],
      {
        table: {
          rows: [
            ...(toBalance.minor > 0 ? [{ label: 'Back to your balance', value: figures.money(toBalance) }] : []),
            ...(offOwed.minor > 0 ? [{ label: 'Off an open invoice', value: figures.money(offOwed) }] : []),
            ...(toPromo.minor > 0 ? [{ label: 'Promotional credit returned', value: figures.money(toPromo) }] : []),
          ],
        },
        action: toBalanceDetail,
        after: [`Charged until ${figures.time(at)}. The balance pays your next bills first.`],
      },
    ),
  usage: ({ product, percent, used, quota, unitLabel, isLimited, rate, endsAt }, figures) => {
    const name = measuredNames[product]
    const above = rate && `Each ${unitLabel} above it costs ${figures.rate(rate)}.`
    const [heading, first] = isLimited
      ? [
          `Your ${name} limit has been exceeded`,
          `Upgrade your plan to increase your ${name}. Otherwise it continues with the next period, on ${figures.day(endsAt)}.`,
        ]
      : percent === 100
        ? [`Your plan’s ${name} is used up`, `Everything keeps working. ${above ?? ''}`.trim()]
        : [
            `${percent} % of your plan’s ${name} is used`,
            `The period ends on ${figures.day(endsAt)}. ${above ?? 'At that point it stops, and nothing more is charged.'}`,
          ]
    return plainMail(heading, [first], {
      table: {
        rows: [{ label: 'Used so far', value: figures.amount(used, unitLabel) }],
        total: { label: 'Your plan includes', value: figures.amount(quota, unitLabel) },
      },
      action: { ...toBilling, label: 'Compare plans' },
      after: ['Nothing is deleted.'],
    })
  },
}

const measuredNames: Readonly<Record<MeteredProduct, string>> = {
  cloud_storage: 'storage',
  cloud_backup: 'backup space',
  cloud_traffic: 'traffic',
  cdn_traffic: 'CDN traffic',
}
