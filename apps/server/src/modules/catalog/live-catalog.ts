/**
 * The catalogue of a running server. Its file is checked once a second, by inode, size and time of change of the file
 * that the path leads to, so that any way of writing it works: in place, by a rename over it, or through a symbolic
 * link that is switched. It is read when it has not changed between two checks. A mistake is logged, once, with line
 * and key, and the last valid catalogue stays in use.
 *
 * Where changes are applied on request (ATOLL_CATALOG_APPLY=asked), the newest applied text counts in place of the
 * file, which only the first start reads.
 */
import { stat } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { startTicker } from '../../platform/ticker.ts'
import { findAppliedNumber, readApplied } from './applied-store.ts'
import { adoptFile } from './apply-catalog.ts'
import type { Catalog } from './catalog.ts'
import { readCatalog } from './catalog-file.ts'

export interface LiveCatalog {
  /** The last good one. */
  current(): Catalog
  /**
   * Calls `fn` with the catalogue now, and with each new one before it counts: one that `fn` throws on is not taken.
   */
  use(fn: (catalog: Catalog) => void): void
  /** Calls `fn` after each new one has begun to count. */
  onTaken(fn: () => void): void
  /** The mistakes in the file as it is now, one a line; undefined while it is in use. */
  problem(): string | undefined
  /** Takes what was applied lately: called when another process says that it applied something. */
  look(): void
  stop(): Promise<void>
}

const checkEveryMs = 1000

interface CatalogOptions {
  file: string
  log: Log
  checkEveryMs?: number
  /** Changes are applied on request, and kept there. */
  applied?: { db: Db; clock: Clock }
}

/** Where a catalogue comes from: a text that differs when it does, and reading it. */
interface Origin {
  describe(): Promise<string>
  read(): Promise<Catalog>
}

/** Reads the catalogue and keeps it current. Throws `CatalogError` when there is no good one to begin with. */
export async function openCatalog(options: CatalogOptions): Promise<LiveCatalog> {
  const { file, log, applied } = options
  if (applied) await adoptFile(applied, file)
  const { describe, read }: Origin = applied
    ? { describe: async () => String(await findAppliedNumber(applied.db)), read: () => readApplied(applied.db) }
    : { describe: () => describeFile(file), read: () => readCatalog(file) }
  const listeners: (() => void)[] = []
  const users: ((catalog: Catalog) => void)[] = []
  // Before the reading: what is written during it is read again.
  let inUse = await describe()
  let seen = inUse
  let catalog = await read()
  let problem: string | undefined

  async function check(): Promise<void> {
    const now = await describe()
    // A row is whole at once.
    const settled = now === seen || applied !== undefined
    seen = now
    // Half of it may be written yet.
    if (!settled || now === inUse) return
    const before = inUse
    inUse = now
    try {
      const next = await read()
      for (const use of users) use(next)
      warnOfLeaving(log, catalog, next)
      catalog = next
      problem = undefined
      for (const notify of listeners) notify()
      log.info({ file, ...sizeOf(next) }, 'the catalogue was read again')
    } catch (error) {
      if (!(error instanceof OperatorError) && !isMissing(error)) {
        // It was not read, as while the database is away: the next look does.
        if (applied) inUse = before
        throw error
      }
      problem = error instanceof Error ? error.message : String(error)
      for (const mistake of problem.split('\n')) {
        log.error({ file, mistake }, 'the catalogue has a mistake; the last good one stays in use')
      }
    }
  }

  const ticker = applied
    ? undefined
    : startTicker(options.checkEveryMs ?? checkEveryMs, log, 'checking the catalogue', check)
  let looking = Promise.resolve()
  return {
    current: () => catalog,
    use(fn) {
      fn(catalog)
      users.push(fn)
    },
    onTaken: (fn) => void listeners.push(fn),
    problem: () => problem,
    look() {
      if (!applied) return
      const failed = (error: unknown) => log.error({ err: error }, 'the applied catalogue cannot be read')
      looking = looking.then(check).catch(failed)
    },
    async stop() {
      await ticker?.stop()
      await looking
    },
  }
}

/** Differs when the file does: another file, another size or another time of writing. */
async function describeFile(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(file, { bigint: true })
    return [dev, ino, size, mtimeNs].join(' ')
  } catch (error) {
    if (isMissing(error)) return 'missing'
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')
}

function sizeOf({ clouds, versions }: Catalog): { clouds: number; versions: number } {
  return { clouds: clouds.length, versions: versions.length }
}

/**
 * A removed cloud or version may still have customers' instances: they go on running, and can only be destroyed once
 * their cloud is back.
 */
function warnOfLeaving(log: Log, before: Catalog, after: Catalog): void {
  const gone = (names: (catalog: Catalog) => string[]) => names(before).filter((name) => !names(after).includes(name))
  const clouds = gone((catalog) => catalog.clouds.map(({ cloudName }) => cloudName))
  const versions = gone((catalog) => catalog.versions.map(({ version }) => version))
  if (clouds.length + versions.length > 0) log.warn({ clouds, versions }, 'these are no longer in the catalogue')
}
