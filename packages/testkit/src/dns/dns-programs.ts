/** Programs of others that judge our DNS: Debian's, unpacked in the project's folder so that no service starts. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../repository.ts'

/** Debian's packages with the programs that `dnsPrograms` names. */
export const dnsPackages = [
  'bind9-dnsutils',
  'nsd',
  'unbound',
  'dnsperf',
  'pdns-server',
  'pdns-backend-sqlite3',
  'pebble',
] as const
export const dnsProgramsFolder = join(repositoryRoot, '.tools/dns-programs')

const dnsPrograms = ['dig', 'nsd', 'unbound', 'dnsperf', 'pdns_server', 'pebble'] as const
export type DnsProgramName = (typeof dnsPrograms)[number]

/** Why these programs cannot be run here, as the end of a sentence; undefined when they can. */
export function whyNoDnsPrograms(): string | undefined {
  if (platform() !== 'linux') return "Debian's programs need Linux"
  const missing = dnsPrograms.filter((name) => findProgram(name) === undefined)
  return missing.length > 0 ? `there is no ${missing.join(', ')}` : undefined
}

export interface DnsProgram {
  path: string
  /** To be set for it: where its libraries are. */
  env: Record<string, string>
}

export function dnsProgram(name: DnsProgramName): DnsProgram {
  const path = findProgram(name)
  if (path === undefined) throw new Error(`There is no ${name}; npm test unpacks it`)
  return { path, env: { LD_LIBRARY_PATH: libraryFolders().join(':') } }
}

/** The output of `dig` with these arguments, time and tries set; also if no server answers. */
export async function dig(...args: string[]): Promise<string> {
  const { path, env } = dnsProgram('dig')
  // Without -r a file in the home folder would add its own options.
  const options = ['-r', '+time=2', '+tries=1', ...args]
  const found = await promisify(execFile)(path, options, { env: { ...process.env, ...env } }).catch(
    (error: unknown) => {
      // 9: no answer, which it says on standard output too.
      if (error instanceof Error && 'code' in error && error.code === 9 && 'stdout' in error)
        return { stdout: error.stdout }
      throw error
    },
  )
  return String(found.stdout)
}

function findProgram(name: string): string | undefined {
  const folders = ['usr/bin', 'usr/sbin'].flatMap((folder) => [join(dnsProgramsFolder, folder), `/${folder}`])
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Such as `usr/lib/x86_64-linux-gnu`. */
function libraryFolders(): string[] {
  const lib = join(dnsProgramsFolder, 'usr/lib')
  if (!existsSync(lib)) return []
  return readdirSync(lib)
    .filter((name) => name.includes('-linux-gnu'))
    .map((name) => join(lib, name))
}
