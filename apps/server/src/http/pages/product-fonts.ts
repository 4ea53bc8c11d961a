/**
 * The product's fonts for pages that the server writes itself: the Latin ones of packages/ui, Chinese is the system's.
 * A font's file is named by its content, so a browser may keep it for good.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ProductFont {
  family: string
  /** Name under which it is served. */
  file: string
  bytes: Buffer
}

const sources = {
  inter: '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2',
  jetBrainsMono: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
} as const

/** The files of the fonts, as Node resolves them: a release takes these of their packages, which are large. */
export const productFontSources: readonly string[] = Object.values(sources)

export const inter = readFont('Inter Variable', sources.inter)
export const jetBrainsMono = readFont('JetBrains Mono Variable', sources.jetBrainsMono)

/** Headers with which a font is sent. */
export const fontHeaders = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

/** CSS that takes `font` from `folder`, a path of the page's own origin. */
export function fontFace({ family, file }: ProductFont, folder: string): string {
  return `@font-face{font-family:"${family}";font-weight:100 900;font-display:swap;src:url(${folder}/${file}) format("woff2")}`
}

function readFont(family: string, source: string): ProductFont {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(source)))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { family, file: `${family.split(' ')[0]?.toLowerCase()}-${hash}.woff2`, bytes }
}
