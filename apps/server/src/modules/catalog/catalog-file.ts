import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { installScriptLimit } from '@atoll/contract/agents'
import { type Document, LineCounter, parseDocument, visit } from 'yaml'
import { OperatorError } from '../../platform/operator-error.ts'
import { type Catalog, CatalogFile } from './catalog.ts'

/** A file that is something else altogether has thousands; these are enough to see so. */
const mostMistakes = 50

/** `catalog.yaml` cannot be used; the message has one line per mistake: `catalog.yaml:12: clouds[0].driver: …`. */
export class CatalogError extends OperatorError {}

function refuseCatalog(mistakes: readonly string[]): never {
  const more = mistakes.length - mostMistakes
  const shown = mistakes.slice(0, mostMistakes)
  throw new CatalogError([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
}

/** Parses the text of a catalogue; `file` is only named in errors. Throws `CatalogError` with the mistakes found. */
export function parseCatalog(text: string, file: string): Catalog {
  return parseWithLines(text, file).catalog
}

/** Says a mistake about what stands at `path`, with its line and key. */
type DescribeMistake = (path: readonly PropertyKey[], message: string) => string

function parseWithLines(text: string, file: string): { catalog: Catalog; describe: DescribeMistake } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const mistakes = document.errors.map((error) => {
    const [sentence = error.message] = error.message.split('\n')
    return `${file}:${lines.linePos(error.pos[0]).line}: ${sentence}`
  })
  if (mistakes.length === 0) {
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document) !== undefined) return
        mistakes.push(`${file}:${lines.linePos(alias.range?.[0] ?? 0).line}: *${alias.source} names nothing above it`)
      },
    })
  }
  if (mistakes.length > 0) refuseCatalog(mistakes)
  const describe: DescribeMistake = (path, message) => `${file}:${lineOf(path)}: ${keyText(path)}: ${message}`
  const content = contentOf(document, file)
  if (content === null)
    throw new CatalogError(`${file}:1: is empty; catalog.yaml of the project shows what belongs there`)
  // The message for a missing value whose check has no message of its own.
  const error = ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : undefined)
  const result = CatalogFile.safeParse(content, { error })
  if (result.success) return { catalog: result.data, describe }
  return refuseCatalog(
    result.error.issues.map((issue) => {
      const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
      return describe(path, issue.message)
    }),
  )

  /** The line of the deepest part of `path` that stands in the file: a missing key has none of its own. */
  function lineOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined
      if (node?.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
}

function contentOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    // Aliases of aliases that would grow without end.
    throw new CatalogError(`${file}: ${messageOf(error)}`, { cause: error })
  }
}

function keyText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')
}

/** A catalogue as it is written: its text, and the texts of the scripts that it names, by those names. */
export interface CatalogText {
  text: string
  scripts: Readonly<Record<string, string>>
}

/** Reads and parses the catalogue at `path`, with the scripts that it names. */
export async function readCatalog(path: string): Promise<Catalog> {
  return (await readCatalogText(path)).catalog
}

/** The same with how it is written. */
export async function readCatalogText(path: string): Promise<CatalogText & { catalog: Catalog }> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new CatalogError(`${path}: cannot be read: ${messageOf(error)}`, { cause: error })
  }
  const { catalog, describe } = parseWithLines(text, path)
  const scripts = await readScripts(catalog, dirname(path), describe)
  return { text, scripts, catalog: withScripts(catalog, scripts, describe) }
}

/** Parses a catalogue whose scripts are at hand; `file` is only named in errors. */
export function parseCatalogText({ text, scripts }: CatalogText, file: string): Catalog {
  const { catalog, describe } = parseWithLines(text, file)
  return withScripts(catalog, scripts, describe)
}

/** The texts of the scripts that the versions name; a name is meant from `folder`. */
async function readScripts(
  { versions }: Catalog,
  folder: string,
  describe: DescribeMistake,
): Promise<Record<string, string>> {
  const mistakes: string[] = []
  const scripts = await Promise.all(
    versions.map(async ({ script }, at): Promise<[string, string][]> => {
      if (script === undefined) return []
      const file = resolve(folder, script)
      const key = ['versions', at, 'script']
      try {
        const text = await readFile(file, 'utf8')
        if (Buffer.byteLength(text) <= installScriptLimit) return [[script, text]]
        mistakes.push(describe(key, `${file} has more than ${installScriptLimit} bytes`))
      } catch (error) {
        mistakes.push(describe(key, `${file} cannot be read: ${messageOf(error)}`))
      }
      return []
    }),
  )
  if (mistakes.length > 0) refuseCatalog(mistakes)
  return Object.fromEntries(scripts.flat())
}

/** The catalogue with the text of each script in place of its file's name. */
function withScripts(catalog: Catalog, scripts: Readonly<Record<string, string>>, describe: DescribeMistake): Catalog {
  const versions = catalog.versions.map((version, at) => {
    if (version.script === undefined) return version
    const script = scripts[version.script]
    if (script === undefined) refuseCatalog([describe(['versions', at, 'script'], `"${version.script}" is not there`)])
    return { ...version, script }
  })
  return { ...catalog, versions }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
