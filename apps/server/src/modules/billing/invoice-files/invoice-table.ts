/** The items of an invoice, a row each, under a head that every page repeats. */
import type { Locale } from '@atoll/contract/wire'
import { amountText, periodText, wholeDays } from '../views/lines/file-figures.ts'
import type { InvoiceDocument, InvoiceLine } from '../views/lines/invoice-document.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import { lineFormula } from '../views/lines/line-formula.ts'
import type { InvoiceStyles } from './invoice-styles.ts'
import { paper, type Sheet } from './sheet.ts'

/** Right edges of the columns of figures. */
const columns = { price: 372, discount: 458, amount: paper.right }
const itemWidth = 245
const padding = 8
/** A row that is not higher stands on one page; a higher one goes on on the next. */
const mostTogether = 240

export function drawTableHead(sheet: Sheet, styles: InvoiceStyles, locale: Locale): void {
  const t = invoiceTexts[locale]
  sheet.put(t.item, { x: paper.left }, styles.label)
  for (const column of ['price', 'discount', 'amount'] as const)
    sheet.put(t[column], { right: columns[column] }, styles.label)
  sheet.y += styles.label.leading + padding
  sheet.rule()
}

export function drawItems(sheet: Sheet, styles: InvoiceStyles, facts: InvoiceDocument, locale: Locale): void {
  const { currency } = facts.invoice
  for (const line of facts.lines) {
    const name = sheet.lines(lineName(line, locale), itemWidth, styles.strong)
    const below = [lineTime(line, facts, locale), ...formula(line, facts, locale)].flatMap((text) =>
      sheet.lines(text, itemWidth, styles.small),
    )
    const nameHeight = name.length * styles.strong.leading + 2
    const height = nameHeight + below.length * styles.small.leading
    sheet.room(Math.min(height, mostTogether) + 2 * padding)
    sheet.y += padding
    const middle = (Math.min(nameHeight, mostTogether) + styles.small.leading - styles.figure.leading) / 2
    const { amount_minor: amount, discount_minor: discount } = line
    const discountText = discount === 0 ? '–' : amountText(-discount, currency)
    sheet.put(amountText(amount, currency), { right: columns.price }, styles.figure, middle)
    sheet.put(discountText, { right: columns.discount }, styles.figure, middle)
    sheet.put(amountText(amount - discount, currency), { right: columns.amount }, styles.strongFigure, middle)
    sheet.flow(name, { x: paper.left }, styles.strong)
    sheet.y += 2
    sheet.flow(below, { x: paper.left }, styles.small)
    sheet.y += padding
    sheet.rule()
  }
}

/** The name of the item that the line charges. */
export function lineName({ of }: InvoiceLine, locale: Locale): string {
  const t = invoiceTexts[locale]
  if (of.kind === 'usage') return t.metered[of.product]
  const title = of.terms.title[locale]
  if (of.kind === 'plan') return t.plan(title)
  return of.worker === undefined ? t.master(of.cluster, title) : t.worker(of.cluster, of.worker, title)
}

function formula(line: InvoiceLine, { invoice, account }: InvoiceDocument, locale: Locale): string[] {
  return lineFormula(line, { currency: invoice.currency, zone: account.zone, locale })
}

function lineTime(line: InvoiceLine, { account }: InvoiceDocument, locale: Locale): string {
  const t = invoiceTexts[locale]
  const days = wholeDays(line.period_start, line.period_end)
  return [
    periodText(line.period_start, line.period_end, account.zone, locale),
    ...(days === undefined ? [] : [t.days(days)]),
    ...(line.proration ? [t.partOfMonth] : []),
  ].join(t.separator)
}
