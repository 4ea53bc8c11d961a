/**
 * A4 pages filled from the top: black on white, lengths in points, `y` is the top of the next content. The caller asks
 * for room first; if the page has too little, a new page begins, with its head.
 */
import type { Locale } from '@atoll/contract/wire'
import PDFDocument from 'pdfkit'
import { type FileFonts, type Weight, weights } from './file-fonts.ts'
import { breakLines, printableText, textRuns } from './printable-text.ts'

export const paper = { width: 595.28, height: 841.89, left: 51, right: 544.28, top: 50, bottom: 770, foot: 786 }
export const ink = { black: '#000000', second: '#3D3D3D', third: '#5C5C5C', line: '#D4D4D4' }

export interface TextStyle {
  size: number
  /** From one line to the next. */
  leading: number
  weight: Weight
  color: string
  /** Digits of one width, for what stands under each other. */
  figures?: boolean
}

export interface SheetFacts {
  title: string
  author: string
  locale: Locale
  /** Says in the file when it was made: the same facts make the same bytes. */
  at: Date
  fonts: FileFonts
  /** Draws the head of each page after the first. */
  head: (sheet: Sheet) => void
}

export interface Sheet {
  y: number
  /** Begins another page unless `height` is left on this one. */
  room(height: number): void
  width(text: string, style: TextStyle): number
  lines(text: string, width: number, style: TextStyle): string[]
  /** One line from `x` on, its top at `y` and `down`; with `right`, ending there. Moves nothing. */
  put(text: string, at: { x: number } | { right: number }, style: TextStyle, down?: number): void
  /** Lines under each other, as `put` does one. */
  block(lines: readonly string[], at: { x: number }, style: TextStyle, down?: number): void
  /** As `block`, but from the top on and going on on further pages; `y` is below the last line then. */
  flow(lines: readonly string[], at: { x: number }, style: TextStyle): void
  rule(from?: number, color?: string, weight?: number): void
  /** Draws shapes; the origin is at `x` and `y`. */
  draw(x: number, shapes: (document: PDFKit.PDFDocument) => void): void
  /** Closes the file; `foot` draws the foot of each page, of how many there are. */
  finish(foot: (sheet: Sheet, page: number, pages: number) => void): Promise<Buffer>
}

export function openSheet({ title, author, locale, at, fonts, head }: SheetFacts): Sheet {
  const document = new PDFDocument({
    size: [paper.width, paper.height],
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: locale,
    displayTitle: true,
    info: { Title: printableText(title), Author: printableText(author), CreationDate: at, ModDate: at },
  })
  for (const weight of weights) for (const { name, bytes } of fonts[weight]) document.registerFont(name, bytes)
  const bytes = collect(document)

  const options = ({ figures }: TextStyle) => ({
    lineBreak: false,
    baseline: 'alphabetic' as const,
    ...(figures === true && { features: ['tnum' as const] }),
  })
  const measured = (text: string, style: TextStyle) =>
    textRuns(text, fonts[style.weight]).map((run) => {
      document.font(run.face.name, style.size)
      return { ...run, width: document.widthOfString(run.text, options(style)) }
    })
  const widthOf = (text: string, style: TextStyle) => measured(text, style).reduce((sum, { width }) => sum + width, 0)

  const sheet: Sheet = {
    y: paper.top,
    room(height) {
      if (sheet.y + height <= paper.bottom) return
      document.addPage()
      sheet.y = paper.top
      head(sheet)
    },
    width: (text, style) => widthOf(printableText(text), style),
    lines: (text, width, style) => breakLines(printableText(text), locale, (line) => widthOf(line, style) <= width),
    put(text, at, style, down = 0) {
      const runs = measured(printableText(text), style)
      let x = 'x' in at ? at.x : runs.reduce((left, { width }) => left - width, at.right)
      // The middle of the capitals stands in the middle of the line.
      const baseline = sheet.y + down + style.leading / 2 + style.size * 0.364
      for (const { face, text: shown, width } of runs) {
        document.font(face.name, style.size).fillColor(style.color).text(shown, x, baseline, options(style))
        x += width
      }
    },
    block(lines, at, style, down = 0) {
      for (const [index, line] of lines.entries()) sheet.put(line, at, style, down + index * style.leading)
    },
    flow(lines, at, style) {
      for (const line of lines) {
        sheet.room(style.leading)
        sheet.put(line, at, style)
        sheet.y += style.leading
      }
    },
    rule(from = paper.left, color = ink.line, weight = 0.75) {
      document.lineWidth(weight).moveTo(from, sheet.y).lineTo(paper.right, sheet.y).stroke(color)
    },
    draw(x, shapes) {
      document.save().translate(x, sheet.y)
      shapes(document)
      document.restore()
    },
    async finish(foot) {
      const { count } = document.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        document.switchToPage(page)
        sheet.y = paper.foot
        foot(sheet, page + 1, count)
      }
      document.end()
      return await bytes
    },
  }
  return sheet
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}
