/**
 * An invoice as a PDF of A4 pages (design: billing, "Statement, PDF, CSV"). Pure: the same facts in the same language
 * are the same bytes, dates and ids of the file included.
 */
import type { Locale } from '@atoll/contract/wire'
import { type InvoiceDocument, requireSums } from '../views/lines/invoice-document.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import { loadFileFonts } from './file-fonts.ts'
import { drawHead, drawShortHead } from './invoice-head.ts'
import { invoiceStyles } from './invoice-styles.ts'
import { drawItems, drawTableHead } from './invoice-table.ts'
import { drawRecords, drawRules, drawSums } from './invoice-totals.ts'
import { openSheet, paper } from './sheet.ts'

/** The file's bytes. Throws for an invoice that its lines do not sum to. */
export async function renderInvoicePdf(document: InvoiceDocument, locale: Locale): Promise<Buffer> {
  requireSums(document)
  const t = invoiceTexts[locale]
  const styles = invoiceStyles(locale)
  let isInItems = true
  const sheet = openSheet({
    title: `${t.title} ${document.invoice.number}`,
    author: document.issuer.name,
    locale,
    at: document.invoice.issued_at,
    fonts: await loadFileFonts(),
    head: (page) => {
      drawShortHead(page, styles, document)
      if (isInItems) drawTableHead(page, styles, locale)
    },
  })
  drawHead(sheet, styles, document, locale)
  drawTableHead(sheet, styles, locale)
  drawItems(sheet, styles, document, locale)
  isInItems = false
  drawSums(sheet, styles, document, locale)
  drawRecords(sheet, styles, document, locale)
  drawRules(sheet, styles, document, locale)
  return await sheet.finish((page, number, of) => {
    page.rule()
    page.put(document.invoice.number, { x: paper.left }, styles.small, 7)
    page.put(t.page(number, of), { right: paper.right }, styles.small, 7)
  })
}
