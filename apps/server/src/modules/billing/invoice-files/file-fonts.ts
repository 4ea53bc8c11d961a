/**
 * The fonts of files, as TrueType: a PDF takes a few glyphs out of those at once, where an unconverted Chinese font
 * takes seconds. Converted once a process, when the first file is written.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import { convert } from 'fontverter'

export const weights = ['regular', 'strong'] as const
export type Weight = (typeof weights)[number]

/** One file of glyphs in one weight. */
export interface FontFace {
  /** Name under which a document registers it. */
  name: string
  bytes: Buffer
  has(codePoint: number): boolean
}

/** For each weight the faces that are searched for a character, first to last. */
export type FileFonts = Readonly<Record<Weight, readonly FontFace[]>>

const numeric = { regular: 400, strong: 600 }

/** Replaces a character that no font has; the last font is included for it. */
export const missingGlyph = '□'

/**
 * Static fonts, because no part of a variable one can be embedded. Of the last, only the box of a missing character is
 * used.
 */
const families = [
  { name: 'inter', files: '@fontsource/inter/files/inter-latin' },
  { name: 'inter-extended', files: '@fontsource/inter/files/inter-latin-ext' },
  { name: 'noto', files: '@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified' },
  { name: 'noto-signs', files: '@fontsource/noto-sans-sc/files/noto-sans-sc-88' },
] as const

/** The files of the fonts, as Node resolves them: a release takes these of their packages, which are large. */
export const fileFontSources: readonly string[] = families.flatMap(({ files }) =>
  Object.values(numeric).map((weight) => fontSource(files, weight)),
)

async function convertFonts(): Promise<FileFonts> {
  const facesOf = (weight: Weight) =>
    Promise.all(
      families.map(async ({ name, files }) => {
        const source = fileURLToPath(import.meta.resolve(fontSource(files, numeric[weight])))
        return openFace(`${name}-${weight}`, await convert(await readFile(source), 'truetype'))
      }),
    )
  return { regular: await facesOf('regular'), strong: await facesOf('strong') }
}

function fontSource(files: string, weight: number): string {
  return `${files}-${weight}-normal.woff`
}

function openFace(name: string, bytes: Buffer): FontFace {
  const font = create(bytes)
  if (!('hasGlyphForCodePoint' in font)) throw new TypeError(`The font ${name} is a collection.`)
  return { name, bytes, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) }
}

let converted: Promise<FileFonts> | undefined

/** The fonts; a failure to read them is not kept. */
export async function loadFileFonts(): Promise<FileFonts> {
  converted ??= convertFonts().catch((error: unknown) => {
    converted = undefined
    throw error
  })
  return await converted
}
