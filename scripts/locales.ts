/** Whether the texts of every front end are complete in both languages. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '../packages/contract/src/constants.ts'

type Texts = Map<string, string>

/** Keys that a language lacks or has too many, texts that are empty in all, and placeholders that differ, for every `locales` folder. */
export function findLocaleGaps(root: string): string[] {
  const [first] = locales
  return globSync(`{apps,packages}/**/locales/**/${first}.json`, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|dist\.next)$/.test(path),
  }).flatMap((file) => {
    const texts = readTexts(join(root, file))
    return locales.slice(1).flatMap((locale) => {
      const other = file.replace(`${first}.json`, `${locale}.json`)
      if (!existsSync(join(root, other))) return [`${other} is missing`]
      return compareTexts({ name: file, texts }, { name: other, texts: readTexts(join(root, other)) })
    })
  })
}

/** What differs between two languages beyond the words themselves. */
export function compareTexts(a: { name: string; texts: Texts }, b: { name: string; texts: Texts }): string[] {
  const gaps: string[] = []
  for (const [key, text] of a.texts) {
    // One language may need words where another needs none; both without is a text that was forgotten.
    if (text.trim() === '' && b.texts.get(key)?.trim() === '') gaps.push(`"${key}" is empty in ${a.name} and ${b.name}`)
  }
  const keysOfB = pluralGroups(b.texts)
  const keysOfA = pluralGroups(a.texts)
  for (const key of keysOfA.keys()) if (!keysOfB.has(key)) gaps.push(`${b.name} lacks "${key}"`)
  for (const key of keysOfB.keys()) if (!keysOfA.has(key)) gaps.push(`${b.name} has "${key}", which ${a.name} lacks`)
  for (const [key, wanted] of keysOfA) {
    const present = keysOfB.get(key)
    if (present !== undefined && present !== wanted) {
      gaps.push(`"${key}" mentions ${wanted || 'nothing'} in ${a.name} and ${present || 'nothing'} in ${b.name}`)
    }
  }
  return gaps
}

/** Reads nested texts as `a.b.c`. */
export function flatten(value: unknown, prefix = ''): Texts {
  if (typeof value === 'string') return new Map([[prefix, value]])
  if (typeof value !== 'object' || value === null) throw new Error(`"${prefix}" is neither a text nor a group of texts`)
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, prefix === '' ? key : `${prefix}.${key}`)]),
  )
}

function readTexts(path: string): Texts {
  return flatten(JSON.parse(readFileSync(path, 'utf8')))
}

/** Keys without their plural endings, which differ by language, and the placeholders of all their forms together. */
function pluralGroups(texts: Texts): Map<string, string> {
  const groups = new Map<string, Set<string>>()
  for (const [key, text] of texts) {
    const name = key.replace(/_(zero|one|two|few|many|other)$/, '')
    const placeholders = groups.get(name) ?? new Set<string>()
    // A form for exactly one may leave the count out.
    for (const match of text.matchAll(/\{\{\s*([\w.]+)/g)) if (match[1] !== 'count') placeholders.add(match[1] ?? '')
    groups.set(name, placeholders)
  }
  return new Map([...groups].map(([name, placeholders]) => [name, [...placeholders].sort().join(', ')]))
}
