import { reasonText } from '@atoll/contract/api'
import type { MeteredProduct } from '@atoll/contract/billing'
import { invoiceTable, paidBy, receiptTable, whatFor } from './mail-tables.ts'
import { type MailTexts, plainMail } from './mail-texts.ts'

const locale = 'en-US'
const inBilling = 'Open Billing in the console to pay, or to use another card.'

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
const are = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are')

export const enTexts: MailTexts = {
  receipt: (facts, figures) => {
    const { invoice, at } = facts
    const table = receiptTable(facts, locale, figures)
    const { means, rolled } = paidBy(facts, locale, figures)
    return plainMail(`Paid: ${table.total?.value}`, [`${whatFor(invoice, locale)}.`], {
      table,
      after: [
        ...(means.length > 0 ? [`Paid by ${listed(means)}.`] : []),
        ...(rolled ? [`${rolled} is too little for a card: it stands on the next bill.`] : []),
        `Invoice ${invoice.number}, paid on ${figures.time(at)}. You find it under Bills in the console.`,
      ],
    })
  },
  renewalSoon: ({ at, rows, total }, figures) =>
    plainMail(
      `${figures.money(total)} will be due on ${figures.day(at)}`,
      ['On that day the following is renewed for another month.'],
      {
        table: {
          rows: rows.map(({ name, amount }) => ({ label: name[locale], value: figures.money(amount) })),
          total: { label: 'Total, before coupons', value: figures.money(total) },
        },
        after: ['It is paid from promotional credit and balance first, then by your card. You need not do anything.'],
      },
    ),
  failed: ({ invoice, code, nextAt, stopsAt, keptUntil, at }, figures) =>
    plainMail(
      `The payment of ${figures.money(invoice.due)} did not go through`,
      [
        code ? reasonText({ key: code }, locale) : 'There is no card that can pay it.',
        nextAt
          ? `Everything keeps running. The next try is on ${figures.day(nextAt)}.`
          : 'This was the last of four tries.',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
        after: [
          `Tried on ${figures.time(at)}. ${inBilling}`,
          ...(stopsAt && keptUntil
            ? [
                invoice.clusters.length > 0
                  ? `If it is still unpaid on ${figures.day(stopsAt)}, ${listed(invoice.clusters)} will be stopped. Files are kept until ${figures.day(keptUntil)}, then they are deleted.`
                  : `If it is still unpaid on ${figures.day(stopsAt)}, nothing new can be created. Your clusters run on.`,
              ]
            : []),
        ],
      },
    ),
  approve: ({ invoice, amount }, figures) =>
    plainMail(
      `Your bank wants you to approve ${figures.money(amount)}`,
      ['Nothing is paid until you approve it. Open Billing in the console and go on from there to your bank.'],
      { table: invoiceTable(invoice, locale, figures) },
    ),
  orderLapses: ({ invoice, at }, figures) =>
    plainMail(
      'Pay within 4 hours, or your order is canceled',
      [`${whatFor(invoice, locale)}: it waits to be paid until ${figures.time(at)}, and is canceled then.`],
      { table: invoiceTable(invoice, locale, figures), after: [inBilling] },
    ),
  stopped: ({ invoice, until }, figures) =>
    plainMail(
      invoice.clusters.length > 0 ? `Stopped: ${listed(invoice.clusters)}` : 'Your bill is past due',
      [
        `${figures.money(invoice.due)} could not be collected in four tries.`,
        invoice.clusters.length > 0
          ? `${listed(invoice.clusters)} ${are(invoice.clusters)} stopped. Files are kept until ${figures.day(until)}, then they are deleted.`
          : `Your clusters run on. If it is still unpaid on ${figures.day(until)}, the plan falls to Free.`,
        'Nothing new can be created until it is paid.',
      ],
      {
        table: invoiceTable(invoice, locale, figures),
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
        ? `${listed(invoice.clusters)} will be destroyed on ${figures.day(until)} with all files, unless this is paid before.`
        : `The plan falls to Free on ${figures.day(until)}, unless this is paid before.`
    return plainMail(`${left} to pay ${figures.money(invoice.due)}`, [lost], {
      table: invoiceTable(invoice, locale, figures),
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
        after: ['The invoice can still be paid; then you can create again.'],
      },
    ),
  restored: ({ invoice }) =>
    plainMail(invoice.clusters.length > 0 ? `Running again: ${listed(invoice.clusters)}` : 'Your bill is paid', [
      `Invoice ${invoice.number} is paid. Thank you.`,
      ...(invoice.clusters.length > 0 ? ['What was stopped starts again with its files, within a minute.'] : []),
    ]),
  cardExpires: ({ brand, last4, month, year }) =>
    plainMail(
      `Your card ending ${last4} expires soon`,
      [`${brand} ending ${last4} can be charged until the end of ${String(month).padStart(2, '0')}/${year}.`],
      { after: ['Add the new one under Billing in the console, so that nothing stops.'] },
    ),
  plan: ({ name, at }, figures) =>
    plainMail(`You are on the ${name[locale]} plan`, [`The ${name[locale]} plan began on ${figures.time(at)}.`], {
      after: ['What it includes stands under Billing in the console.'],
    }),
  cap: ({ percent, used, cap }, figures) =>
    plainMail(
      percent >= 100 ? 'Your spend cap is reached' : `${percent} % of your spend cap is used`,
      [
        percent >= 100
          ? 'What goes above your plan’s quota is stopped until the period ends or you raise the cap. Nothing is deleted.'
          : 'This is what usage above your plan’s quota costs so far in this period.',
      ],
      {
        table: {
          rows: [{ label: 'Usage so far', value: figures.money(used) }],
          total: { label: 'Your cap', value: figures.money(cap) },
        },
        after: ['You can change the cap under Billing in the console.'],
      },
    ),
  refund: ({ name, toBalance, offOwed, toPromo, lapsedPromo, at }, figures) =>
    plainMail(
      `Given back for ${name}: ${figures.money(toBalance.minor > 0 ? toBalance : offOwed.minor > 0 ? offOwed : toPromo)}`,
      ['You had paid ahead. This is the part that was not used.'],
      {
        table: {
          rows: [
            ...(toBalance.minor > 0 ? [{ label: 'Back to your balance', value: figures.money(toBalance) }] : []),
            ...(offOwed.minor > 0 ? [{ label: 'Off an open invoice', value: figures.money(offOwed) }] : []),
            ...(toPromo.minor > 0 ? [{ label: 'Promotional credit returned', value: figures.money(toPromo) }] : []),
            ...(lapsedPromo.minor > 0
              ? [{ label: 'Promotional credit that ended with it', value: figures.money(lapsedPromo) }]
              : []),
          ],
        },
        after: [`Charged until ${figures.time(at)}. The balance pays your next bills first.`],
      },
    ),
  usage: ({ product, percent, used, quota, unitLabel, isLimited, rate, endsAt }, figures) => {
    const name = measuredNames[product]
    const above = rate && `Each ${unitLabel} above it costs ${figures.rate(rate)}.`
    const [heading, first] = isLimited
      ? [
          `Your ${name} limit has been exceeded`,
          `Upgrade your plan to increase your ${name}. Else it goes on with the next period, on ${figures.day(endsAt)}.`,
        ]
      : percent === 100
        ? [`Your plan’s ${name} is used up`, `Everything goes on. ${above ?? ''}`.trim()]
        : [
            `${percent} % of your plan’s ${name} is used`,
            `The period ends on ${figures.day(endsAt)}. ${above ?? 'Nothing above it is charged: it is stopped there.'}`,
          ]
    return plainMail(heading, [first], {
      table: {
        rows: [{ label: 'Used so far', value: figures.amount(used, unitLabel) }],
        total: { label: 'Your plan includes', value: figures.amount(quota, unitLabel) },
      },
      after: ['Nothing is deleted. You find your usage and other plans under Billing in the console.'],
    })
  },
}

const measuredNames: Readonly<Record<MeteredProduct, string>> = {
  cloud_storage: 'storage',
  cloud_backup: 'backup space',
  cloud_traffic: 'traffic',
  cdn_traffic: 'CDN traffic',
}
