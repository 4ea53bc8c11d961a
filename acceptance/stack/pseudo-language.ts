/**
 * A language that nobody speaks, made of the English texts: each letter has a mark, and each text is longer, as it is
 * in German or French. A word that a page shows without marks was never translated; a text that is cut needs more room
 * than English.
 */
import type { BrowserContext, Page } from 'playwright-core'

/** The modules of a build that hold the console's texts alone. */
const textModules = /\/assets\/(at-start|signed-in|beyond-home|clusters-monitoring|operator)-[\w-]+\.js$/
const marked: Readonly<Record<string, string>> = {
  ...{ a: 'á', c: 'ç', e: 'é', i: 'í', l: 'ł', n: 'ñ', o: 'ó', s: 'š', u: 'ú', y: 'ý', z: 'ž' },
  ...{ A: 'Á', C: 'Ç', E: 'É', I: 'Í', L: 'Ł', N: 'Ñ', O: 'Ó', S: 'Š', U: 'Ú', Y: 'Ý', Z: 'Ž' },
}

/** `text` in the pseudo-language; a placeholder stays. */
export function pseudoText(text: string): string {
  const parts = text.split(/(\{\w+\})/)
  const said = parts.map((part) => (part.startsWith('{') ? part : part.replace(/\p{L}/gu, (c) => marked[c] ?? c)))
  const length = text.replace(/\{\w+\}/g, '').length
  return /\p{L}/u.test(text) && length > 3 ? `${said.join('')} ${'óé'.repeat(Math.ceil(length / 12))}` : said.join('')
}

/** Has the console of `context` speak it: the modules of its texts arrive changed. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  await context.route(textModules, async (route) => {
    const answer = await route.fetch()
    const source = await answer.text()
    const body = source.replace(/`((?:[^`\\]|\\.)*)`/g, (_all, text: string) => `\`${pseudoText(text)}\``)
    await route.fulfill({ response: answer, body })
  })
}

/** In the page: the texts that can be seen and have a word. */
const shown = `(() => {
  const texts = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement
    if (parent && !parent.closest('svg, script, style, code, pre') && parent.checkVisibility()) texts.add(text.data.trim())
  }
  return [...texts]
})()`

/** The texts of a page with a word of four plain letters or more that is none of `known`. */
export async function findUntranslated(page: Page, known: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate<string[]>(shown)
  const words = (text: string) =>
    text.replace(/did:key:\S+/g, '').match(/(?<![\p{L}\p{M}])[A-Za-z]{4,}(?![\p{L}\p{M}])/gu) ?? []
  return texts.filter((text) => words(text).some((word) => !known.has(word.toLowerCase())))
}
