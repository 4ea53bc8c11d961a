import { type Locale, locales } from '@atoll/contract/wire'
import { getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, test } from 'vitest'
import { amountText } from '../views/lines/file-figures.ts'
import type { InvoiceDocument } from '../views/lines/invoice-document.ts'
import { invoiceTexts } from '../views/lines/invoice-texts.ts'
import { lineFormula } from '../views/lines/line-formula.ts'
import { loadFileFonts } from './file-fonts.ts'
import { openInvoice, paidInvoice, workerLine } from './invoice-document.fixture.ts'
import { renderInvoicePdf } from './invoice-pdf.ts'
import { lineName } from './invoice-table.ts'

interface PrintedText {
  text: string
  /** Points from the left, and from the foot of the page. */
  right: number
  y: number
}

/** The text of each page, as a PDF reader extracts it. */
async function readPages(document: InvoiceDocument, locale: Locale): Promise<PrintedText[][]> {
  const pdf = await getDocumentProxy(new Uint8Array(await renderInvoicePdf(document, locale)))
  const pages: PrintedText[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(
      items.flatMap((item) => {
        if (!('str' in item) || item.str === '') return []
        const [x, y] = [Number(item.transform[4]), Number(item.transform[5])]
        return [{ text: item.str, right: x + item.width, y }]
      }),
    )
  }
  return pages
}

const textOf = (page: readonly PrintedText[] = []) => page.map(({ text }) => text).join('')
const joined = (text: string) => text.replace(/\s+/g, '')
const inChina = (document: InvoiceDocument): InvoiceDocument => ({
  ...document,
  account: { ...document.account, name: '礁湖科技有限公司', zone: 'UTC+8' },
  invoice: { ...document.invoice, currency: 'cny' },
})

beforeAll(async () => {
  await loadFileFonts()
})

describe.each(locales)('an invoice in %s', (locale) => {
  const t = invoiceTexts[locale]
  const document = locale === 'zh-CN' ? inChina(paidInvoice()) : paidInvoice()
  const { currency } = document.invoice

  test('says each line, its sums and who paid how much, in text that can be selected', async () => {
    const text = joined((await readPages(document, locale)).map(textOf).join(''))
    for (const line of document.lines) {
      expect(text).toContain(joined(lineName(line, locale)))
      expect(text).toContain(amountText(line.amount_minor - line.discount_minor, currency))
      for (const sentence of lineFormula(line, { currency, zone: document.account.zone, locale }))
        expect(text).toContain(joined(sentence))
    }
    const { gross_minor, discount_minor, total_minor } = document.invoice
    for (const [label, minor] of [
      [t.sum, gross_minor],
      [t.coupon('REEF10'), -discount_minor],
      [t.total, total_minor],
      [t.promo, -500],
      [t.balance, -250],
      [t.card('Visa', '4242'), 750 - total_minor],
      [t.toPay, 0],
      [lineName(workerLine(3, 'Rangiroa', 'rangiroa-w1', 0), locale), -324],
    ] as const)
      expect(text).toContain(joined(label) + amountText(minor, currency))
    expect(text).toContain(joined(t.payment(t.paymentStates.declined, t.means.card('Visa', '4242'))))
    for (const fact of [document.account.name, document.account.id, document.invoice.number, document.account.zone])
      expect(text).toContain(joined(fact))
  })

  test('is the same bytes twice', async () => {
    expect((await renderInvoicePdf(document, locale)).equals(await renderInvoicePdf(document, locale))).toBe(true)
  })

  test('of a hundred lines repeats its head on each page and counts them', async () => {
    const lines = Array.from({ length: 100 }, (_, index) =>
      workerLine(index + 1, 'Rangiroa', `w-${index}-`, 700 + index),
    )
    const pages = await readPages(openInvoice(lines), locale)
    expect(pages.length).toBeGreaterThan(5)
    for (const [index, page] of pages.entries()) {
      expect(joined(textOf(page))).toContain(joined(t.page(index + 1, pages.length)))
      expect(textOf(page)).toContain('ATL-7K3QD-0028')
      expect(textOf(page).includes(t.amount)).toBe(textOf(page).includes('w-'))
      expect(page.every(({ y, right }) => y > 36 && y < 806 && right < 546)).toBe(true)
    }
    const text = joined(pages.map(textOf).join(''))
    for (const line of lines) expect(text).toContain(joined(lineName(line, locale)))
  })
})

test('amounts end under each other and have figures of one width', async () => {
  const amounts = [111, 888, 123_456, 1_000_000].map((minor, index) => workerLine(index + 1, 'a', 'b', minor))
  const [page = []] = await readPages(openInvoice(amounts), 'en-US')
  const printed = page.filter(({ text }) => /^\$[\d,.]+$/.test(text))
  const edges = new Set(printed.map(({ right }) => right.toFixed(1)))
  expect(printed.length).toBe(2 * amounts.length + 3)
  expect(edges).toEqual(new Set(['372.0', '544.3']))
})

test('the period is in the days of the account’s zone', async () => {
  const night = { period_start: new Date('2026-01-30T20:00:00Z'), period_end: new Date('2026-02-27T20:00:00Z') }
  const document = openInvoice([{ ...workerLine(1, 'a', 'b', 700), ...night }])
  const read = async (facts: InvoiceDocument, locale: Locale) =>
    joined((await readPages(facts, locale)).map(textOf).join(''))
  expect(await read(document, 'en-US')).toContain(joined('30 Jan – 27 Feb 2026, 28 days'))
  expect(await read(inChina(document), 'zh-CN')).toContain(joined('2026年1月31日 – 2月28日，28 天'))
})

test.each([
  ['control characters and breaks', 'a\u0000b\u0007\r\nc\u2028d', 'ab c d'],
  ['a right-to-left override', '\u202eevil\u2066x', 'evilx'],
  ['letters that no font has, and emoji', 'مرحبا 🏝️ reef', '□□□□□ □ reef'],
  ['half a surrogate', 'x\ud800y', 'x□y'],
  ['Latin beyond English, and Han in English', 'Łódź 礁湖', 'Łódź 礁湖'],
  ['more marks than a letter bears', `e${'\u0308'.repeat(40)}!`, '!'],
])('a name with %s is printed and breaks nothing', async (_, name, printed) => {
  const document = openInvoice([workerLine(1, name, 'w', 700)])
  const [page] = await readPages({ ...document, account: { ...document.account, name } }, 'en-US')
  const text = joined(textOf(page))
  expect(text).toContain(joined(`${printed} worker w`))
  expect(text).toContain(joined(printed))
})

/** Within the margins, above the foot, and no two texts on each other. */
function expectReadable(pages: readonly (readonly PrintedText[])[]): void {
  for (const page of pages) {
    expect(page.every(({ y, right }) => y > 36 && y < 806 && right < 546)).toBe(true)
    const places = page.map(({ y, right }) => `${y.toFixed(1)} ${right.toFixed(1)}`)
    expect(new Set(places).size).toBe(places.length)
  }
}

describe.each(locales)('nothing of an invoice in %s is cut', (locale) => {
  const t = invoiceTexts[locale]
  const long = (index: number) => `${index}號${'珊瑚礁潟湖'.repeat(12)}`.slice(0, 64)
  const [, , , , usage] = paidInvoice().lines
  if (!usage) throw new Error('the fixture has a line of usage')
  const shares = Array.from({ length: 60 }, (_, index) => ({
    clusterId: `cl_${index}`,
    name: long(index),
    used: `${(index + 1) * 1_000_000}`,
  }))

  test('of the shares of sixty clusters with long names, which take more than a page', async () => {
    const document = openInvoice([{ ...usage, shares }, workerLine(6, long(99), 'w1', 700)])
    const pages = await readPages(document, locale)
    expect(pages.length).toBeGreaterThan(2)
    expectReadable(pages)
    const text = joined(pages.map((page) => textOf(page.filter(({ y }) => y > 60 && y < 740))).join('')).replaceAll(
      joined(`${t.item}${t.price}${t.discount}${t.amount}`),
      '',
    )
    const [, named] = lineFormula({ ...usage, shares }, { currency: 'usd', zone: 'UTC', locale })
    for (const { name } of shares) expect(text).toContain(name)
    expect(named).toContain(long(59))
    expect(pages.map(textOf).join('')).not.toContain('…')
    expect(text).toContain(long(99))
  })

  test('of sixty lines with long names, each on one page', async () => {
    const lines = shares.map(({ name }, index) => workerLine(index + 1, name, `w${index}`, 700 + index))
    const pages = await readPages(openInvoice(lines), locale)
    expectReadable(pages)
    for (const line of lines) {
      const name = joined(lineName(line, locale))
      expect(pages.filter((page) => joined(textOf(page)).includes(name))).toHaveLength(1)
    }
  })

  test('of what was given back for a long reason, and of the seller and the customer', async () => {
    const document = paidInvoice()
    const reason = `${'退款原因'.repeat(120)}完`
    const [credit] = document.credits
    if (!credit) throw new Error('the fixture has a credit')
    const lines = credit.lines.map((line) => ({ ...line, reason }))
    const account = { ...document.account, name: `${long(7)}${long(8)}` }
    const issuer = { ...document.issuer, name: long(5), address: [`${long(1)}${long(2)}`, 'Frankfurt'] }
    const pages = await readPages({ ...document, account, issuer, credits: [{ ...credit, lines }] }, locale)
    expectReadable(pages)
    const text = joined(pages.map(textOf).join(''))
    // Amounts stand in the text after the part of their row that is kept together.
    const words = text.replaceAll(document.invoice.number, '').replace(/[−-]?\$[\d,.]+/g, '')
    for (const whole of [reason, account.name, issuer.name, 'Frankfurt']) expect(words).toContain(whole)
  })
})

test('a name without end is printed whole, over pages', async () => {
  const pages = await readPages(openInvoice([workerLine(1, 'a'.repeat(5000), 'w', 700)]), 'en-US')
  expectReadable(pages)
  const printed = pages.flat().map(({ text }) => /^a{9,}/.exec(text)?.[0].length ?? 0)
  expect(printed.reduce((sum, length) => sum + length)).toBe(5000)
})

test('an invoice that is open says until when it is to be paid; one whose lines are not its sums is refused', async () => {
  const document = openInvoice([workerLine(1, 'a', 'w', 700)])
  const text = joined((await readPages(document, 'en-US')).map(textOf).join(''))
  expect(text).toContain('Paybefore5Sep2026,10:02')
  expect(text).toContain('Topay$7.00')
  const wrong = { ...document, invoice: { ...document.invoice, total_minor: 699 } }
  await expect(renderInvoicePdf(wrong, 'en-US')).rejects.toThrow('ATL-7K3QD-0028')
})
