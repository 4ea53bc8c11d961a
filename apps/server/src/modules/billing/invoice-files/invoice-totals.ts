/** The part below the items: sums, payments, credits, and the rules of the amounts. */
import type { Locale } from '@atoll/contract/wire'
import { amountText, dayText, timeText } from '../views/lines/file-figures.ts'
import {
  type InvoiceDocument,
  type InvoiceLine,
  type InvoicePayment,
  leftToPay,
} from '../views/lines/invoice-document.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import type { InvoiceStyles } from './invoice-styles.ts'
import { lineName } from './invoice-table.ts'
import { ink, paper, type Sheet, type TextStyle } from './sheet.ts'

const sums = { left: 297, width: 170 }
const records = { what: 168, width: 280 }
/** Lines of a record that stand on one page; one of more goes on on the next. */
const mostTogether = 12

export function drawSums(sheet: Sheet, styles: InvoiceStyles, document: InvoiceDocument, locale: Locale): void {
  const t = invoiceTexts[locale]
  const { invoice } = document
  const linesOf = (label: string, style: TextStyle) => sheet.lines(label, sums.width, style)
  const row = (label: string, minor: number, style: TextStyle, labelStyle = style) => {
    const lines = linesOf(label, labelStyle)
    sheet.block(lines, { x: sums.left }, labelStyle, 3)
    sheet.put(amountText(minor, invoice.currency), { right: paper.right }, style, 3)
    sheet.y += lines.length * labelStyle.leading + 6
  }
  const above = [
    { label: t.sum, minor: invoice.gross_minor },
    ...(invoice.discount_minor === 0
      ? []
      : [{ label: discountLabel(document, locale), minor: -invoice.discount_minor }]),
  ]
  const below = paidParts(document, locale)
  // A coupon's or a card's name may take more than one line.
  const lines = [...above, ...below].reduce((sum, { label }) => sum + linesOf(label, styles.second).length, 0)
  sheet.room((lines + 4) * (styles.body.leading + 6) + 20)
  sheet.y += 9
  for (const { label, minor } of above) row(label, minor, styles.figure, styles.second)
  sheet.y += 4
  sheet.rule(sums.left, ink.black, 1.1)
  sheet.y += 4
  row(t.total, invoice.total_minor, styles.total)
  for (const { label, minor } of below) row(label, minor, styles.figure, styles.second)
  row(t.toPay, leftToPay(document), styles.strongFigure)
}

function discountLabel({ invoice }: InvoiceDocument, locale: Locale): string {
  const t = invoiceTexts[locale]
  return invoice.coupon === null ? t.discount : t.coupon(invoice.coupon)
}

/** Amounts that paid it, and credits off the amount owed. */
function paidParts(
  { invoice, payments, credits }: InvoiceDocument,
  locale: Locale,
): { label: string; minor: number }[] {
  const t = invoiceTexts[locale]
  const paid = payments.filter(({ state }) => state === 'succeeded')
  const owed = credits.reduce((sum, credit) => sum + credit.receivable_minor, 0)
  return [
    ...paid.flatMap((payment) => [
      { label: t.promo, minor: -payment.promo_minor },
      { label: t.balance, minor: -payment.balance_minor },
      { label: cardName(payment, locale, t.card), minor: payment.collected_minor - payment.card_minor },
      { label: t.rolled, minor: -payment.rolled_minor },
    ]),
    { label: t.lost, minor: invoice.lost_minor },
    { label: t.credits, minor: -owed },
  ].filter(({ minor }) => minor !== 0)
}

/** Each payment in a row, and each line that was given back, negative. */
export function drawRecords(sheet: Sheet, styles: InvoiceStyles, document: InvoiceDocument, locale: Locale): void {
  const t = invoiceTexts[locale]
  const { currency } = document.invoice
  const { zone } = document.account
  drawSection(
    sheet,
    styles,
    t.payments,
    document.payments.map((payment) => ({
      when: timeText(payment.ended_at ?? payment.created_at, zone, locale),
      what: t.payment(t.paymentStates[payment.state], meansOf(payment, locale)),
      amount: amountText(amountOf(payment), currency),
    })),
  )
  drawSection(
    sheet,
    styles,
    t.credits,
    document.credits.flatMap((credit) =>
      credit.lines.map((given) => {
        const line = document.lines.find(({ line }) => line === given.line)
        if (!line) throw new Error(`${document.invoice.number} has no line ${given.line} to give back.`)
        return {
          when: dayText(credit.issued_at, zone, locale),
          what: given.reason ?? lineName(line, locale),
          amount: amountText(given.discount_minor - given.amount_minor, currency),
        }
      }),
    ),
  )
}

interface RecordRow {
  when: string
  what: string
  amount: string
}

function drawSection(sheet: Sheet, styles: InvoiceStyles, title: string, rows: readonly RecordRow[]): void {
  if (rows.length === 0) return
  sheet.y += 26
  sheet.room(styles.strong.leading + 6 + 2 * (styles.body.leading + 12))
  sheet.put(title, { x: paper.left }, styles.strong)
  sheet.y += styles.strong.leading + 6
  sheet.rule()
  for (const { when, what, amount } of rows) {
    const lines = sheet.lines(what, records.width, styles.second)
    sheet.room(Math.min(lines.length, mostTogether) * styles.body.leading + 12)
    sheet.y += 6
    sheet.put(when, { x: paper.left }, styles.figure)
    const first = lines.slice(0, mostTogether)
    sheet.block(first, { x: records.what }, styles.second)
    sheet.put(amount, { right: paper.right }, styles.figure)
    sheet.y += first.length * styles.second.leading
    sheet.flow(lines.slice(mostTogether), { x: records.what }, styles.second)
    sheet.y += 6
    sheet.rule()
  }
}

export function drawRules(sheet: Sheet, styles: InvoiceStyles, { lines }: InvoiceDocument, locale: Locale): void {
  const t = invoiceTexts[locale]
  const isUsage = ({ of }: InvoiceLine) => of.kind === 'usage'
  const texts = [...(lines.every(isUsage) ? [] : [t.prepaid]), ...(lines.some(isUsage) ? [t.usage] : [])]
  const printed = texts.flatMap((text) => sheet.lines(text, paper.right - paper.left, styles.second))
  sheet.y += 24
  sheet.room((printed.length + 1) * styles.second.leading + 4)
  sheet.put(t.howMade, { x: paper.left }, styles.strong)
  sheet.y += styles.strong.leading + 4
  sheet.block(printed, { x: paper.left }, styles.second)
  sheet.y += printed.length * styles.second.leading
}

/** The amount that the payment contributes to this invoice, minor units. */
function amountOf(payment: InvoicePayment): number {
  const { promo_minor, balance_minor, rolled_minor, card_minor, collected_minor } = payment
  return promo_minor + balance_minor + rolled_minor + card_minor - collected_minor
}

function meansOf(payment: InvoicePayment, locale: Locale): string {
  const t = invoiceTexts[locale]
  const parts = [
    ...(payment.promo_minor > 0 ? [t.means.promo] : []),
    ...(payment.balance_minor > 0 ? [t.means.balance] : []),
    ...(payment.card_minor > 0 ? [cardName(payment, locale, t.means.card)] : []),
    ...(payment.rolled_minor > 0 ? [t.means.rolled] : []),
  ]
  return parts.length === 0 ? t.means.none : parts.join(t.means.join)
}

function cardName({ card }: InvoicePayment, locale: Locale, words: (brand: string, last4: string) => string): string {
  if (!card) return invoiceTexts[locale].means.aCard
  return words(card.brand.charAt(0).toUpperCase() + card.brand.slice(1), card.last4)
}
