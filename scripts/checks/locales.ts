/** Whether the catalogue of texts is complete in every language, and all of it used. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '../../packages/contract/src/wire/constants.ts'

type Texts = Map<string, string>
/** A language file, as problems name it. */
interface Language {
  name: string
  locale: string
  texts: Texts
}

const [first] = locales
/** Surfaces whose files are tables: code reads them, and names a text by a word: `texts.account`. */
const tables = /\/(shared|mail|documents)\//

/** Where the texts of each surface are used; the shared ones have their keys there. */
const users: Readonly<Record<string, string>> = {
  shared: '{packages/contract,packages/texts,apps/server}/src',
  mail: 'apps/server/src',
  documents: 'apps/server/src',
  console: 'apps/console/src',
  wallet: 'apps/wallet/src',
  'personal-server': 'apps/agent/web/src',
}

/**
 * Every gap in the catalogue of texts: see `compareTexts`, `findFormGaps`, `findStrayBraces`, `findUnusedKeys`,
 * `findClashes` and `findUnlikeParts`.
 */
export function findLocaleGaps(root: string): string[] {
  return Object.entries(users).flatMap(([surface, folder]) => {
    const files = globSync(`packages/texts/${first}/${surface}/*.json`, { cwd: root })
    return [
      ...findGapsIn(root, files, sourcesIn(root, folder)),
      ...findClashes(root, files),
      ...findUnlikeParts(root, surface),
    ]
  })
}

/** Modules that join the files of a part, and do so otherwise than in the first language. */
function findUnlikeParts(root: string, surface: string): string[] {
  return globSync(`packages/texts/${first}/${surface}/*.ts`, { cwd: root }).flatMap((file) => {
    const others = locales.slice(1).map((locale) => file.replace(`/${first}/`, `/${locale}/`))
    const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')
    return others.filter((other) => read(other) !== read(file)).map((other) => `${other} is not as ${file}`)
  })
}

function findGapsIn(root: string, files: string[], sources: string): string[] {
  return files.flatMap((file) => {
    const read = (locale: string, name: string): Language => ({ name, locale, texts: readTexts(join(root, name)) })
    const english = read(first, file)
    const gaps = locales.slice(1).flatMap((locale) => {
      const name = file.replace(`/${first}/`, `/${locale}/`)
      if (!existsSync(join(root, name))) return [`${name} is missing`]
      const other = read(locale, name)
      return [...compareTexts(english, other), ...findFormGaps(other), ...findStrayBraces(other)]
    })
    return [...gaps, ...findFormGaps(english), ...findStrayBraces(english), ...findUnusedKeys(english, sources)]
  })
}

/** Groups of texts that stand in two files of one surface: where those are joined, one would hide the other. */
function findClashes(root: string, files: string[]): string[] {
  const owners = new Map<string, string>()
  const joined = files.filter((file) => !tables.test(file))
  return joined.flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(root, file), 'utf8'))).flatMap((group) => {
      const owner = owners.get(group)
      owners.set(group, file)
      return owner === undefined ? [] : [`${file} has the group "${group}" of ${owner}`]
    }),
  )
}

/** Differences between two languages beyond the words themselves. */
export function compareTexts(a: Omit<Language, 'locale'>, b: Omit<Language, 'locale'>): string[] {
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

const pluralForm = /_(zero|one|two|few|many|other)$/

/** Plural forms that the language does not have, and those it has but the file lacks. */
export function findFormGaps({ name, locale, texts }: Language): string[] {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  const gaps: string[] = []
  for (const key of texts.keys()) {
    const form = pluralForm.exec(key)?.[1]
    if (form === undefined) continue
    if (!forms.some((known) => known === form)) gaps.push(`${name} has "${key}", a form that ${locale} never uses`)
    const base = key.replace(pluralForm, '')
    const lacking = forms.filter((known) => !texts.has(`${base}_${known}`))
    if (lacking.length > 0) gaps.push(`${name} lacks the form ${lacking.join(', ')} of "${base}"`)
  }
  return [...new Set(gaps)]
}

/** Texts with a brace outside of a placeholder, which is a name in single braces: `{name}`. */
export function findStrayBraces({ name, texts }: Omit<Language, 'locale'>): string[] {
  return [...texts]
    .filter(([, text]) => /[{}]/.test(text.replace(/\{\w+\}/g, '')))
    .map(([key]) => `${name} has a brace in "${key}" that is no placeholder: {name}`)
}

/**
 * Keys that stand in none of the `sources`. A key stands there as a text of its own (`'home.title'`), or fits a
 * template (`` `home.state${name}` ``). Of a table the last part is a word there.
 */
export function findUnusedKeys({ name, texts }: Omit<Language, 'locale'>, sources: string): string[] {
  const written = new Set([...sources.matchAll(/(['"`])([\w-]+(?:\.[\w-]+)+)\1/g)].map((match) => match[2] ?? ''))
  const templates = [...sources.matchAll(/`([\w-]+\.[\w.-]*\$\{[^`]*)`/g)].map((match) => {
    const parts = (match[1] ?? '').split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'))
    return new RegExp(`^${parts.join('[\\w.-]+')}$`)
  })
  const words = new Set(tables.test(name) ? sources.match(/\w+/g) : [])
  const keys = new Set([...texts.keys()].map((key) => key.replace(pluralForm, '')))
  return [...keys]
    .filter(
      (key) =>
        !written.has(key) && !words.has(key.replace(/.*\./, '')) && !templates.some((template) => template.test(key)),
    )
    .map((key) => `${name} has "${key}", which nothing uses`)
}

function sourcesIn(root: string, folder: string): string {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
  return files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
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
    const name = key.replace(pluralForm, '')
    const placeholders = groups.get(name) ?? new Set<string>()
    // A form for exactly one may leave the count out.
    for (const match of text.matchAll(/\{([\w.]+)/g)) if (match[1] !== 'count') placeholders.add(match[1] ?? '')
    groups.set(name, placeholders)
  }
  return new Map([...groups].map(([name, placeholders]) => [name, [...placeholders].sort().join(', ')]))
}
