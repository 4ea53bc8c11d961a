import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { installScriptLimit, scriptStep } from '@atoll/contract/agents'
import { Currency, type Locale } from '@atoll/contract/wire'
import { type Document, LineCounter, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { OperatorError } from '../../platform/operator-error.ts'
import { LxdMemberName, LxdSettings } from './drivers/lxd/lxd-settings.ts'

const Key = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must be lowercase letters, digits, dots and hyphens')
const Text = z.string().min(1).max(200)
/** What a person reads: one text, or one for each language; one alone serves both. */
const Words = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ 'en-US': value, 'zh-CN': value } satisfies Record<Locale, string>) : value,
  z.strictObject({ 'en-US': Text, 'zh-CN': Text }),
)

const drivers = ['process', 'lxd'] as const

const Offering = z.strictObject({
  name: Key,
  title: Words,
  cpuCoreCount: z.int().min(1).max(1024),
  memoryMiB: z.int().min(128),
  diskMiB: z.int().min(256),
  price: z.strictObject({
    /** Minor units a month. Only free offerings can be sold until there is billing. */
    amount: z
      .int({ error: ({ input }) => (input === undefined ? undefined : 'must be whole cents') })
      .min(0)
      .max(0, 'must be 0: this deployment cannot charge yet'),
    currency: Currency,
  }),
  /** Regions where it is shown and cannot be bought. */
  soldOutIn: z.array(Key).default([]),
})
const Region = z.strictObject({
  regionId: Key,
  title: Words,
  place: Words,
  /** Members of the LXD cluster that are this region; absent: LXD chooses among all. */
  members: z.array(LxdMemberName).min(1).max(1000).optional(),
})
const Cloud = z.strictObject({
  cloudName: Key,
  driver: z.enum(drivers),
  /** For the driver of that name. */
  lxd: LxdSettings.optional(),
  title: Words,
  regions: z.array(Region).min(1),
  offerings: z.array(Offering).min(1),
})
const Version = z.strictObject({
  version: z.string().min(1).max(40),
  title: Words,
  summary: Words,
  recommended: z.boolean().default(false),
  /** What the drivers boot: one name for all, or one for each. */
  image: z.union([Text, z.partialRecord(z.enum(drivers), Text)]),
  steps: z.array(z.string().min(1).max(40)).min(1).max(40),
  /** A file beside the catalogue, run by the agent in the step `script`; once read, its text. */
  script: z.string().min(1).optional(),
})
const CatalogFile = z
  .strictObject({
    clouds: z.array(Cloud).min(1),
    versions: z.array(Version).min(1),
    /** Workers that one cluster may have. */
    maxWorkers: z.int().min(0).max(64).default(8),
  })
  .superRefine((catalog, context) => {
    const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    rejectRepeats(['clouds'], 'cloudName', catalog.clouds, problem)
    rejectRepeats(['versions'], 'version', catalog.versions, problem)
    catalog.versions.forEach(({ image, steps, script }, at) => {
      for (const { driver, cloudName } of catalog.clouds) {
        if (typeof image !== 'string' && image[driver] === undefined)
          problem(['versions', at, 'image'], `has none for the driver ${driver} of the cloud "${cloudName}"`)
      }
      const runs = steps.includes(scriptStep)
      if (runs && script === undefined) problem(['versions', at, 'script'], `is needed for the step "${scriptStep}"`)
      if (!runs && script !== undefined)
        problem(['versions', at, 'steps'], `lacks the step "${scriptStep}" that runs the script`)
    })
    // `pricePackage` of the API is keyed by offering name alone.
    const names = catalog.clouds.flatMap((cloud) => cloud.offerings.map((offering) => offering.name))
    catalog.clouds.forEach((cloud, at) => {
      const regions = new Set(cloud.regions.map((region) => region.regionId))
      rejectRepeats(['clouds', at, 'regions'], 'regionId', cloud.regions, problem)
      if (cloud.driver === 'lxd' && !cloud.lxd) problem(['clouds', at, 'lxd'], 'is needed for the driver lxd')
      if (cloud.driver !== 'lxd') {
        if (cloud.lxd) problem(['clouds', at, 'lxd'], `is not for the driver ${cloud.driver}`)
        cloud.regions.forEach((region, index) => {
          if (region.members) problem(['clouds', at, 'regions', index, 'members'], 'is only for the driver lxd')
        })
      }
      cloud.offerings.forEach((offering, index) => {
        const path = ['clouds', at, 'offerings', index]
        if (names.indexOf(offering.name) !== names.lastIndexOf(offering.name))
          problem([...path, 'name'], `"${offering.name}" is used twice`)
        for (const region of offering.soldOutIn)
          if (!regions.has(region)) problem([...path, 'soldOutIn'], `"${region}" is not a region of this cloud`)
      })
    })
  })

function rejectRepeats<K extends string>(
  path: PropertyKey[],
  key: K,
  items: readonly Record<K, string>[],
  problem: (path: PropertyKey[], message: string) => void,
): void {
  const seen = new Set<string>()
  items.forEach((item, at) => {
    if (seen.has(item[key])) problem([...path, at, key], `"${item[key]}" is used twice`)
    seen.add(item[key])
  })
}

/** What this operator sells: the parsed `catalog.yaml`. */
export type Catalog = z.output<typeof CatalogFile>
export type CatalogCloud = Catalog['clouds'][number]
export type CatalogOffering = CatalogCloud['offerings'][number]
export type CatalogVersion = Catalog['versions'][number]

/** A file that is something else altogether has thousands; these are enough to see so. */
const mostMistakes = 50

/** `catalog.yaml` cannot be used; the message has one line per mistake: `catalog.yaml:12: clouds[0].driver: …`. */
export class CatalogError extends OperatorError {}

function refuseCatalog(mistakes: readonly string[]): never {
  const more = mistakes.length - mostMistakes
  const told = mistakes.slice(0, mostMistakes)
  throw new CatalogError([...told, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
}

/** Parses the text of a catalogue; `file` is only named in errors. Throws `CatalogError` with the mistakes found. */
export function parseCatalog(text: string, file: string): Catalog {
  return parseWithLines(text, file).catalog
}

/** Says a mistake about what stands at `path`, with its line and key. */
type TellMistake = (path: readonly PropertyKey[], message: string) => string

function parseWithLines(text: string, file: string): { catalog: Catalog; tell: TellMistake } {
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
  const tell: TellMistake = (path, message) => `${file}:${lineOf(path)}: ${keyText(path)}: ${message}`
  const content = contentOf(document, file)
  if (content === null)
    throw new CatalogError(`${file}:1: is empty; catalog.yaml of the project shows what belongs there`)
  // What has no words of its own and is not there.
  const error = ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : undefined)
  const result = CatalogFile.safeParse(content, { error })
  if (result.success) return { catalog: result.data, tell }
  return refuseCatalog(
    result.error.issues.map((issue) => {
      const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
      return tell(path, issue.message)
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

/** Reads and parses the catalogue at `path`, with the scripts that it names. */
export async function readCatalog(path: string): Promise<Catalog> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new CatalogError(`${path}: cannot be read: ${messageOf(error)}`, { cause: error })
  }
  const { catalog, tell } = parseWithLines(text, path)
  return await withScripts(catalog, dirname(path), tell)
}

/** The catalogue with the text of each script in place of its file's name, which is meant from `folder`. */
async function withScripts(catalog: Catalog, folder: string, tell: TellMistake): Promise<Catalog> {
  const mistakes: string[] = []
  const versions = await Promise.all(
    catalog.versions.map(async (version, at) => {
      if (version.script === undefined) return version
      const file = resolve(folder, version.script)
      const key = ['versions', at, 'script']
      try {
        const script = await readFile(file, 'utf8')
        if (Buffer.byteLength(script) <= installScriptLimit) return { ...version, script }
        mistakes.push(tell(key, `${file} has more than ${installScriptLimit} bytes`))
      } catch (error) {
        mistakes.push(tell(key, `${file} cannot be read: ${messageOf(error)}`))
      }
      return version
    }),
  )
  if (mistakes.length > 0) refuseCatalog(mistakes)
  return { ...catalog, versions }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What `driver` boots for a version. */
export function imageOf({ image }: CatalogVersion, driver: string): string | undefined {
  return typeof image === 'string' ? image : Object.entries(image).find(([name]) => name === driver)?.[1]
}
