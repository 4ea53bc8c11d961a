/**
 * The restic that backups are made with: the program that RESTIC names, the one in PATH, or Debian's, unpacked to
 * .tools/restic without being installed.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { projectRoot } from '../project.ts'
import { findDebianSource, unpackProgram } from './debian-archive.ts'

const resticFolder = join(projectRoot, '.tools/restic')
/** Debian 13: restic 0.18. It runs on Debian 12, too, of whose libraries it needs C's alone. */
const newerSuite = 'trixie'

/** The program at hand now; undefined where there is none yet. */
export function findResticProgram(): string | undefined {
  const named = process.env['RESTIC']
  if (named) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const unpacked = join(resticFolder, 'restic')
  return [...folders.map((folder) => join(folder, 'restic')), unpacked].find(isProgram)
}

/** A start without a network is not to wait for it each time, ms. */
const tryAgainMs = 24 * 60 * 60 * 1000

/** The same, unpacked where there is none. Undefined, after `say`, where none can be had: all but backups works. */
export async function ensureRestic(say: (text: string) => void): Promise<string | undefined> {
  const present = findResticProgram()
  if (present !== undefined) return present
  const note = join(resticFolder, 'failed')
  const triedAt = statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - triedAt < tryAgainMs) return undefined
  const source = await findDebianSource()
  if (source === undefined) {
    say('There is no restic, and this is no Debian to take it from: install the package restic to make backups.')
    return undefined
  }
  const target = join(resticFolder, 'restic')
  let reason: unknown
  for (const suite of new Set([newerSuite, source.suite])) {
    try {
      await unpackProgram({ ...source, suite }, { pack: 'restic', path: 'usr/bin/restic', target })
      return target
    } catch (error) {
      reason = error
    }
  }
  mkdirSync(resticFolder, { recursive: true })
  writeFileSync(note, '')
  say(`restic could not be fetched (${String(reason)}): install the package restic to make backups.`)
  return undefined
}

/** Both that are supported at least, by their Debian suites, for tests; undefined where Debian cannot be asked. */
export async function ensureResticOf(suite: 'bookworm' | 'trixie'): Promise<string | undefined> {
  const target = join(resticFolder, suite, 'restic')
  if (existsSync(target)) return target
  const source = await findDebianSource()
  if (source === undefined) return undefined
  await unpackProgram({ ...source, suite }, { pack: 'restic', path: 'usr/bin/restic', target })
  return target
}

/** restic's own REST server (Debian 13), for tests. */
export async function ensureRestServer(): Promise<string | undefined> {
  const target = join(resticFolder, 'restic-rest-server')
  const source = await findDebianSource()
  if (existsSync(target) || source === undefined) return existsSync(target) ? target : undefined
  const wanted = { pack: 'restic-rest-server', path: 'usr/bin/restic-rest-server', target }
  await unpackProgram({ ...source, suite: newerSuite }, wanted)
  return target
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not there, or not for us
  }
}
