import type { Locale } from '@atoll/contract/wire'
import { money } from '@atoll/money'
import { mailTexts } from '@atoll/texts/mails'
import { formulaOf } from '../views/lines/formula-of.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import { lineTitle, summaryOf } from '../views/lines/line-names.ts'
import type { MailedInvoice, MailFacts } from './mail-facts.ts'
import type { Figures } from './mail-figures.ts'

export interface MailRow {
  label: string
  value: string
  /** Sentences below it. */
  notes?: string[]
}
export interface MailTable {
  rows: MailRow[]
  total?: MailRow
}

/** A short summary of the invoice's items. */
export function whatFor({ kind, lines }: MailedInvoice, locale: Locale): string {
  return summaryOf(kind, lines, locale)
}

/** Each line of the invoice, and what changed the amount since: they add up to what is or was due. */
function lineRows(
  { lines, currency, discount, coupon, off, paid, lost }: MailedInvoice,
  locale: Locale,
  figures: Figures,
): MailRow[] {
  const t = invoiceTexts[locale]
  const { givenBack, paidBefore } = mailTexts[locale].billing
  const rows = lines.map((line) => ({
    label: lineTitle(line, locale),
    value: figures.money(money(line.amount_minor, currency)),
    notes: formulaOf(line, currency, locale),
  }))
  return [
    ...rows,
    ...(discount.minor > 0 ? [{ label: t.coupon(coupon ?? ''), value: figures.off(discount) }] : []),
    ...(off.minor > 0 ? [{ label: givenBack, value: figures.off(off) }] : []),
    ...(paid.minor > 0 ? [{ label: paidBefore, value: figures.off(paid) }] : []),
    ...(lost.minor > 0 ? [{ label: t.lost, value: figures.money(lost) }] : []),
  ]
}

/** The invoice's lines and the amount still to pay. */
export function invoiceTable(invoice: MailedInvoice, locale: Locale, figures: Figures): MailTable {
  const total = { label: invoiceTexts[locale].toPay, value: figures.money(invoice.due) }
  return { rows: lineRows(invoice, locale, figures), total }
}

/** The items to renew, the coupon's discount and the total. */
export function renewalTable(
  { rows, coupon, total }: MailFacts['renewalSoon'],
  locale: Locale,
  figures: Figures,
): MailTable {
  const t = invoiceTexts[locale]
  const renewed = rows.map(({ name, amount }) => ({ label: name[locale], value: figures.money(amount) }))
  const off = coupon ? [{ label: t.coupon(coupon.code), value: figures.off(coupon.discount) }] : []
  return { rows: [...renewed, ...off], total: { label: t.total, value: figures.money(total) } }
}

/** The invoice's lines and the total paid. */
export function receiptTable(
  { invoice, payment, card }: MailFacts['receipt'],
  locale: Locale,
  figures: Figures,
): MailTable {
  const total = meansOf({ payment, card }, locale).reduce((sum, [, minor]) => sum + minor, 0)
  return {
    rows: lineRows(invoice, locale, figures),
    total: { label: invoiceTexts[locale].total, value: figures.money(money(total, invoice.currency)) },
  }
}

/** The means that paid it, with amounts; below the table, whose rows add up to its total. */
export function paidBy(
  { invoice, payment, card }: MailFacts['receipt'],
  locale: Locale,
  figures: Figures,
): { means: string[]; rolled: string | undefined } {
  const amount = (minor: number) => figures.money(money(minor, invoice.currency))
  const rolled = payment.rolled_minor > 0 ? amount(payment.rolled_minor) : undefined
  const means = meansOf({ payment: { ...payment, rolled_minor: 0 }, card }, locale)
  return { means: means.map(([name, minor]) => `${name} ${amount(minor)}`), rolled }
}

function meansOf(
  { payment, card }: Pick<MailFacts['receipt'], 'payment' | 'card'>,
  locale: Locale,
): [string, number][] {
  const { means: t } = invoiceTexts[locale]
  const byCard = payment.card_minor - payment.collected_minor
  const means: [string, number][] = [
    [t.promo, payment.promo_minor],
    [t.balance, payment.balance_minor],
    [card ? t.card(card.brand, card.last4) : t.aCard, byCard],
    [t.rolled, payment.rolled_minor],
  ]
  return means.filter(([, minor]) => minor > 0)
}
