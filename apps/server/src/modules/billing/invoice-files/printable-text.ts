/** Text as it can be printed: without what cannot be seen, in runs of one font each, broken into lines. */
import type { Locale } from '@atoll/contract/wire'
import { type FontFace, missingGlyph } from './file-fonts.ts'

export interface TextRun {
  face: FontFace
  text: string
}

/** No line breaks at it, and nothing is printed for it: in `GB-month` it follows the hyphen. */
const wordJoiner = '\u2060'

const graphemes = new Intl.Segmenter('en-US', { granularity: 'grapheme' })

/**
 * `text` without control, formatting and private-use characters, which could break lines or reverse the text direction
 * in a name; the word joiner stays until lines are broken. Each break becomes a space; at most two combining marks in a
 * row are kept, so that they do not reach other lines.
 */
export function printableText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\n\v\f\r]+/gu, ' ')
    .replace(/[^\P{C}\u2060]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
}

/** Runs of one face each; a character that no face has, with all that combines with it, is one □. */
export function textRuns(text: string, faces: readonly FontFace[]): TextRun[] {
  const runs: TextRun[] = []
  for (const { segment } of graphemes.segment(text)) {
    if (segment === wordJoiner) continue
    const last = runs.at(-1)
    const found = segment === ' ' && last?.face.has(0x20) ? last.face : faceOf(segment, faces)
    const [face, shown] = found ? [found, segment] : [getFace(missingGlyph, faces), missingGlyph]
    if (last?.face === face) last.text += shown
    else runs.push({ face, text: shown })
  }
  return runs
}

function faceOf(grapheme: string, faces: readonly FontFace[]): FontFace | undefined {
  const codePoints = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0)
  return faces.find((face) => codePoints.every((codePoint) => face.has(codePoint)))
}

function getFace(grapheme: string, faces: readonly FontFace[]): FontFace {
  const face = faceOf(grapheme, faces)
  if (!face) throw new Error(`No font has ${grapheme}.`)
  return face
}

/** Splits `text` into lines that `fits` accepts, between words or, if a word alone is too long, inside it. */
export function breakLines(text: string, locale: Locale, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const part of wordsOf(text, locale).flatMap((word) => (fits(word.trimEnd()) ? word : letters(word)))) {
    if (line !== '' && !fits((line + part).trimEnd())) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line.trimEnd()]
}

/**
 * Words with what opens them, `$` of `$0.04`, or is joined to them, and the spaces and punctuation that follow them,
 * which begin no line.
 */
function wordsOf(text: string, locale: Locale): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)) {
    const last = words.at(-1) ?? ''
    const isOpened = /^[([{（《“$¥−–]+$/.test(last) || last.endsWith(wordJoiner)
    const begins = isWordLike === true || words.length === 0 || /^[([{（《“$¥−–]/.test(segment)
    if (begins && !isOpened) words.push(segment)
    else words.push(`${words.pop() ?? ''}${segment}`)
  }
  return words
}

function letters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}
