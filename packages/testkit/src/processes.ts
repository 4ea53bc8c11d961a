import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'

/** A process of this machine, as /proc shows it. */
export interface ProcessEntry {
  pid: number
  command: string[]
  /** Empty for a process of another user. */
  environment: Map<string, string>
}

/** A real agent process: one provider instance. */
export interface InstanceProcess {
  pid: number
  instanceId: string
  home: string
}

/** Every process whose command and environment could be read and that is not a zombie. Linux only. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = readParts(`/proc/${name}/cmdline`)
      // A zombie and a kernel thread have an empty command.
      if (!command?.length) return []
      const environment = (readParts(`/proc/${name}/environ`) ?? []).map((line): [string, string] => {
        const cut = line.indexOf('=')
        return [line.slice(0, cut), line.slice(cut + 1)]
      })
      return [{ pid: Number(name), command, environment: new Map(environment) }]
    })
}

function readParts(path: string): string[] | undefined {
  try {
    return readFileSync(path, 'utf8').split('\0').filter(Boolean)
  } catch (error) {
    // Gone since it was listed, or another user's.
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(String(error.code))
    )
      return undefined
    throw error
  }
}

/** The agents of a server's data folder that are alive now, whether or not any row names them. */
export function listInstances(dataDir: string): InstanceProcess[] {
  return listProcesses().flatMap(({ pid, command, environment }) => {
    const home = environment.get('ATOLL_AGENT_HOME')
    const isAgent = command.some((part) => part.endsWith(join('apps', 'agent', 'src', 'main.ts')))
    if (!isAgent || !home?.startsWith(dataDir + sep)) return []
    return [{ pid, home, instanceId: basename(home) }]
  })
}

/** Ids of the instances that have a folder on disk. */
export function listInstanceFolders(dataDir: string): string[] {
  return listHomes(dataDir, '*').map((home) => basename(home))
}

/** The folder of one instance; throws when there is none. */
export function findInstanceFolder(dataDir: string, instanceId: string): string {
  const [home] = listHomes(dataDir, instanceId)
  if (home === undefined) throw new Error(`${instanceId} has no folder`)
  return home
}

/** Where a server of these tests has them: as root in a folder of their own, otherwise beside its other files. */
function listHomes(dataDir: string, name: string): string[] {
  return globSync([`instances/${name}`, `homes/*/instances/${name}`], { cwd: dataDir }).map((path) =>
    join(dataDir, path),
  )
}

/** Every process that works in `dataDir`: server, agents, embedded PostgreSQL. For the end of a test only. */
export function listProcessesOf(dataDir: string): ProcessEntry[] {
  const inside = (path: string | undefined) => path === dataDir || path?.startsWith(dataDir + sep)
  return listProcesses().filter(
    ({ pid, command, environment }) =>
      pid !== process.pid &&
      (command.some(inside) ||
        inside(environment.get('ATOLL_DATA_DIR')) ||
        inside(environment.get('ATOLL_AGENT_HOME'))),
  )
}
