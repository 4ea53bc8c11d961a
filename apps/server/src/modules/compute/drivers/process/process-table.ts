import { readdirSync, readFileSync } from 'node:fs'

/**
 * One process of this machine. A pid alone proves nothing: pids are given again. The pair is unique until a reboot.
 */
export interface ProcessKey {
  pid: number
  /** Clock ticks after boot, field 22 of /proc/<pid>/stat. */
  startTime: number
}

/** `USER_HZ`; 100 on every Linux that Node supports. */
const ticksPerSecond = 100

/** Undefined for a process that is gone, or dead and only waiting for its parent to notice. */
export function findProcess(pid: number): ProcessKey | undefined {
  const fields = readStat(pid)
  // Field 3 is the state.
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
  return { pid, startTime: Number(fields[19]) }
}

export function isAlive(key: ProcessKey): boolean {
  return findProcess(key.pid)?.startTime === key.startTime
}

/** Every living process started with each of `variables` (`NAME=value`) in its environment; children inherit them. */
export function findProcessesWith(variables: readonly string[]): ProcessKey[] {
  const found: ProcessKey[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const key = findProcess(pid)
    if (key && hasVariables(pid, variables)) found.push(key)
  }
  return found
}

/** Whether the living process `key` was started with each of `variables`. */
export function isStartedWith(key: ProcessKey, variables: readonly string[]): boolean {
  return isAlive(key) && hasVariables(key.pid, variables)
}

/** Whether the command of any process names `path` or something in it. */
export function namesAnyProcess(path: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && readProc(Number(name), 'cmdline')?.includes(path))
}

/** Whether any living process has its home in `folder/instances`, as instances of a deployment have. */
export function hasInstanceProcess(folder: string): boolean {
  const named = `=${folder}/instances/`
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && readProc(Number(name), 'environ')?.includes(named))
}

/** CPU seconds since the process started and resident bytes; zeros for one that is gone. */
export function measureProcess(key: ProcessKey): { cpuSeconds: number; memoryUsed: number } {
  const fields = isAlive(key) ? readStat(key.pid) : undefined
  if (fields === undefined) return { cpuSeconds: 0, memoryUsed: 0 }
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(key.pid, 'status') ?? '')?.[1]
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    memoryUsed: Number(kibibytes ?? 0) * 1024,
  }
}

/** Fields of /proc/<pid>/stat from the third on: the second is the name in parentheses and may hold anything. */
function readStat(pid: number): string[] | undefined {
  const text = readProc(pid, 'stat')
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function hasVariables(pid: number, variables: readonly string[]): boolean {
  const environment = readProc(pid, 'environ')
  if (!environment) return false
  const entries = new Set(environment.split('\0'))
  return variables.every((variable) => entries.has(variable))
}

/** Undefined when the process is gone, or belongs to another user and so to no instance. */
function readProc(pid: number, file: 'stat' | 'environ' | 'status' | 'cmdline'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined
    throw error
  }
}
