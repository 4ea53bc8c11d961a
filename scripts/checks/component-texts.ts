/**
 * Finds texts in components that belong in a language file. The linter finds those between tags (`noJsxLiterals`); here
 * are the others: words in attributes that a person sees or hears, Chinese anywhere, and a colon between two texts,
 * which Chinese writes otherwise.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const frontEnds = '{apps/console,apps/wallet,apps/agent/web,packages/ui}/src/**/*.{ts,tsx}'
/** Each language is named in itself, in one file. */
const languageNames = 'packages/ui/src/i18n/language-names.ts'
const spoken =
  /\s(aria-label|aria-description|aria-roledescription|aria-valuetext|title|alt|placeholder|label)=("[^"]*\p{L}[^"]*")/gu
const han = /['"`>][^'"`<\n]*\p{Script=Han}/u

const glued = /`[^`]*\}: \$\{[^`]*`/

export function findComponentTexts(root: string): string[] {
  const files = globSync(frontEnds, { cwd: root }).filter(
    (file) => !/\.(test|fixture)\.tsx?$/.test(file) && file !== languageNames,
  )
  return files.flatMap((file) => textsIn(file, readFileSync(join(root, file), 'utf8')))
}

/** The texts in one file, each with its line. */
export function textsIn(file: string, source: string): string[] {
  return source.split('\n').flatMap((line, index) => {
    // Comments may quote what a person sees.
    if (/^\s*(\/\/|\/?\*)/.test(line)) return []
    const attributes = [...line.matchAll(spoken)].map((match) => `${match[1]}=${match[2]}`)
    const words =
      han.test(line) || (file.endsWith('.tsx') && glued.test(line)) ? [...attributes, line.trim()] : attributes
    return words.map((text) => `${file}:${index + 1}: ${text} belongs into the language files`)
  })
}
