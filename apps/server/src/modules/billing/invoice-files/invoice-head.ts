/** The part above the items: seller, customer, dates and state of the invoice. */
import type { Locale } from '@atoll/contract/wire'
import { endOf } from '../records/documents/invoice-store.ts'
import { dayText, periodText, timeText } from '../views/lines/file-figures.ts'
import type { InvoiceDocument } from '../views/lines/invoice-document.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import type { InvoiceStyles } from './invoice-styles.ts'
import { ink, paper, type Sheet } from './sheet.ts'

const parties = [
  { x: paper.left, width: 155 },
  { x: 216, width: 155 },
] as const
const facts = { label: 382, gap: 10 }

export function drawHead(sheet: Sheet, styles: InvoiceStyles, document: InvoiceDocument, locale: Locale): void {
  drawBrand(sheet, styles, document.issuer.product)
  sheet.put(invoiceTexts[locale].title, { right: paper.right }, styles.title)
  sheet.put(document.invoice.number, { right: paper.right }, styles.second, styles.title.leading + 1)
  sheet.y += 70
  const ends = [drawParties(sheet, styles, document, locale), drawFacts(sheet, styles, document, locale)]
  sheet.y = Math.max(...ends) + 30
}

/** On the pages that follow, in one line. */
export function drawShortHead(sheet: Sheet, styles: InvoiceStyles, document: InvoiceDocument): void {
  drawBrand(sheet, styles, document.issuer.product)
  sheet.put(document.invoice.number, { right: paper.right }, styles.second, 3)
  sheet.y += 44
}

function drawBrand(sheet: Sheet, styles: InvoiceStyles, name: string): void {
  sheet.draw(paper.left, drawMark)
  sheet.block(sheet.lines(name, 240, styles.brand), { x: paper.left + 26 }, styles.brand)
}

/** The mark of the design language (assets/logo.svg), in black as in all print. */
function drawMark(pdf: PDFKit.PDFDocument): void {
  pdf
    .scale(20 / 32)
    .lineWidth(5)
    .lineCap('round')
  const reefs = [
    'M21.16 6.29A11 11 0 0 1 26.46 19.40',
    'M21.50 25.53A11 11 0 0 1 10.84 25.71',
    'M5.66 19.76A11 11 0 0 1 6.88 9.85',
  ]
  for (const reef of reefs) pdf.path(reef).stroke(ink.black)
  pdf.circle(13.34, 5.33, 2.5).fill(ink.black)
}

/** Gives where the longer of the two ends. */
function drawParties(
  sheet: Sheet,
  styles: InvoiceStyles,
  { issuer, account }: InvoiceDocument,
  locale: Locale,
): number {
  const t = invoiceTexts[locale]
  const columns = [
    { label: t.from, name: issuer.name, more: issuer.address },
    { label: t.for, name: account.name, more: [t.account(account.id)] },
  ]
  const ends = columns.map(({ label, name, more }, index) => {
    const { x, width } = parties[index === 0 ? 0 : 1]
    const names = sheet.lines(name, width, styles.strong)
    const lines = more.flatMap((line) => sheet.lines(line, width, styles.body))
    const top = styles.label.leading + 3
    const below = top + names.length * styles.strong.leading
    sheet.put(label, { x }, styles.label)
    sheet.block(names, { x }, styles.strong, top)
    sheet.block(lines, { x }, styles.body, below)
    return sheet.y + below + lines.length * styles.body.leading
  })
  return Math.max(...ends)
}

function drawFacts(sheet: Sheet, styles: InvoiceStyles, document: InvoiceDocument, locale: Locale): number {
  const rows = factRows(document, locale)
  const x = facts.label + facts.gap + Math.max(...rows.map(({ label }) => sheet.width(label, styles.label)))
  let down = 0
  for (const { label, value } of rows) {
    sheet.put(label, { x: facts.label }, styles.label, down)
    const lines = sheet.lines(value, paper.right - x, styles.body)
    sheet.block(lines, { x }, styles.body, down)
    down += lines.length * styles.body.leading + 3
  }
  return sheet.y + down
}

function factRows({ invoice, lines, account }: InvoiceDocument, locale: Locale): { label: string; value: string }[] {
  const t = invoiceTexts[locale]
  const { zone } = account
  const starts = lines.map((line) => line.period_start.getTime())
  const ends = lines.map((line) => line.period_end.getTime())
  const [start, end] = [new Date(Math.min(...starts)), new Date(Math.max(...ends))]
  const days = invoice.state === 'paid' && invoice.closed_at ? [dayText(invoice.closed_at, zone, locale)] : []
  const payBefore = invoice.state === 'open' ? endOf(invoice) : null
  return [
    { label: t.issued, value: dayText(invoice.issued_at, zone, locale) },
    ...(lines.length === 0 ? [] : [{ label: t.period, value: periodText(start, end, zone, locale) }]),
    { label: t.zone, value: zone },
    { label: t.state, value: [t.states[invoice.state], ...days].join(t.separator) },
    ...(payBefore ? [{ label: t.payBefore, value: timeText(payBefore, zone, locale) }] : []),
  ]
}
