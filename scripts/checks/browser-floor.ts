/**
 * The browser features that built pages use, against the oldest browsers that README.md promises; the facts are MDN's
 * (browser-compat-data). Covered: global names, their members (`URL.parse`, `navigator.locks`), and methods of
 * JavaScript's own objects whose name nothing older has (`.isSubsetOf()`). Not covered: syntax and CSS, which the
 * build's target sees to; methods of the page's objects, options, events and values.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** README.md says the same. */
const oldestBrowsers: Readonly<Record<string, number>> = { safari: 17, safari_ios: 17, firefox: 129, chrome: 120 }

/** The kinds of the objects that every page has. */
const pageObjects: Readonly<Record<string, string>> = {
  document: 'Document',
  navigator: 'Navigator',
  crypto: 'Crypto',
  history: 'History',
  performance: 'Performance',
}

/** Features that libraries use only after checking that they exist. */
const guardedByLibraries: ReadonlySet<string> = new Set([
  'Document.startViewTransition',
  'Error.captureStackTrace',
  'Navigator.connection',
  'Navigator.userAgentData',
  'Symbol.dispose',
  'Uint8Array.fromBase64',
  'Uint8Array.fromHex',
  '.fromBase64',
  '.fromHex',
  '.toBase64',
  '.toHex',
  // Of i18next. `DisposableStack.use` has the name too.
  '.use',
])

interface Support {
  version_added: string | boolean | null
  flags?: unknown
  prefix?: string
  alternative_name?: string
}
interface Feature {
  __compat?: { support: Record<string, Support | Support[]> }
}
type Features = Feature & { [name: string]: Features }

interface Floor {
  /** Globals and what hangs on them, such as `URL.parse`, that one of the browsers lacks. */
  named: ReadonlySet<string>
  /** Names of methods that only such features have. */
  methods: ReadonlySet<string>
}

/**
 * Names in a script that not all of the oldest browsers know, each once. What is asked for with `?.` may be missing.
 */
export function findTooNew(code: string): string[] {
  const { named, methods } = readFloor()
  const found = new Set<string>()
  for (const [, object = '', member = ''] of code.matchAll(/(?<![\w$.])([A-Za-z]\w+)\.(\w+)(?!\?)/g)) {
    const name = `${pageObjects[object] ?? object}.${member}`
    if (named.has(name)) found.add(name)
    if (named.has(object)) found.add(object)
  }
  for (const [, name = ''] of code.matchAll(/(?<![\w$.])new ([A-Z]\w+)/g)) if (named.has(name)) found.add(name)
  for (const [, name = ''] of code.matchAll(/\.(\w+)\(/g)) if (methods.has(name)) found.add(`.${name}`)
  return [...found].filter((name) => !guardedByLibraries.has(name)).sort()
}

/** The same for each script of a folder with built pages, as lines that name the file. */
export function findTooNewFiles(folder: string): string[] {
  return globSync('**/*.js', { cwd: folder }).flatMap((file) =>
    findTooNew(readFileSync(join(folder, file), 'utf8')).map(
      (name) => `${join(folder, file)}: ${name} is newer than the oldest browsers that README.md names`,
    ),
  )
}

let read: Floor | undefined

/** MDN's data, sorted by whether each of the oldest browsers has it. */
function readFloor(): Floor {
  if (read) return read
  const path = createRequire(import.meta.url).resolve('@mdn/browser-compat-data')
  const data = JSON.parse(readFileSync(path, 'utf8')) as { api: Features; javascript: { builtins: Features } }
  const named = new Set<string>()
  const newMethods = new Set<string>()
  const oldMethods = new Set<string>()
  for (const [area, kinds] of Object.entries({ api: data.api, builtins: data.javascript.builtins })) {
    for (const [kind, members] of Object.entries(kinds)) {
      if (isTooNew(members)) named.add(kind)
      for (const [key, member] of Object.entries(members)) {
        if (key === '__compat') continue
        const name = key.replace(/_static$/, '')
        if (isTooNew(member)) named.add(`${kind}.${name}`)
        if (area === 'builtins' && isTooNew(member)) newMethods.add(name)
        else oldMethods.add(name)
      }
    }
  }
  read = { named, methods: newMethods.difference(oldMethods) }
  return read
}

function isTooNew({ __compat }: Feature): boolean {
  if (!__compat) return false
  return Object.entries(oldestBrowsers).some(([browser, oldest]) => {
    const support = __compat.support[browser]
    if (!support) return false
    return ![support].flat().some((one) => {
      const plain = !one.flags && !one.prefix && !one.alternative_name
      return (
        plain &&
        typeof one.version_added === 'string' &&
        Number.parseFloat(one.version_added.replace('≤', '')) <= oldest
      )
    })
  })
}
