/**
 * Removes what a test's LXD leaves on the machine. Each run has a folder `atoll-lxd-XXXXXX` in the temporary folder
 * with run.json (its process) and a tag of five letters that begins the name of every interface and namespace of it. A
 * run whose process is gone (pid and start time) was killed: the next run removes what it left, and nothing else.
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listProcesses } from '../processes.ts'
import { until } from '../until.ts'

const prefix = 'atoll-lxd-'

export interface LxdRun {
  folder: string
  /** Begins the name of every interface and network namespace. */
  tag: string
  /** First three numbers of a /24 that nothing on this machine uses: `10.71.5`. */
  subnet: string
  /** Ends every process, removes every interface, mount and file. */
  remove(): Promise<void>
}

interface RunNote {
  pid: number
  startTime: string
  tag: string
}

/** Opens a run after removing those that were killed. */
export async function openLxdRun(): Promise<LxdRun> {
  await removeAbandonedRuns()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  // A container's root is another user here, and has to get to its files.
  chmodSync(folder, 0o711)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const tag = Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  const note: RunNote = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '', tag }
  writeFileSync(join(folder, 'run.json.new'), JSON.stringify(note))
  renameSync(join(folder, 'run.json.new'), join(folder, 'run.json'))
  return { folder, tag, subnet: chooseSubnet(), remove: () => removeRun(folder, tag) }
}

async function removeAbandonedRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    const path = join(folder, 'run.json')
    const note = readNote(path)
    if (note && startTimeOf(note.pid) !== note.startTime) await removeRun(folder, note.tag)
  }
}

/** Undefined while the run is being made, and when another one removed it in this moment. */
function readNote(path: string): RunNote | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunNote // written by this file, as a whole
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function removeRun(folder: string, tag: string): Promise<void> {
  const links = linksOf(tag)
  // Daemons before their containers: they would start them again.
  await until(`the processes of ${folder} have ended`, () => {
    const found = processesOf(folder, tag)
    for (const pid of found) kill(pid)
    return found.length === 0
  })
  for (const namespace of linesOf('ip', ['netns', 'list']).map((line) => line.split(' ')[0] ?? '')) {
    if (namespace.startsWith(tag)) ifThere('ip', ['netns', 'del', namespace])
  }
  // The other end of a pair may have taken it along.
  for (const link of links) ifThere('ip', ['link', 'del', link])
  removeRules(links)
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const points = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`))
  for (const path of points.reverse()) ifThere('umount', ['--lazy', path])
  // The note goes last: what is left of a removal that is killed is removed by the next run.
  for (const name of readdirSync(folder)) {
    if (name !== 'run.json') execFileSync('rm', ['-rf', '--one-file-system', join(folder, name)])
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Daemons and whatever they started: what names the folder, and all below it. */
function processesOf(folder: string, tag: string): number[] {
  const own = listProcesses().filter(
    ({ pid, command, environment }) =>
      pid !== process.pid &&
      (command.some((part) => part.includes(`${folder}/`) || part.includes(`=${tag}`)) ||
        environment.get('LXD_DIR')?.startsWith(`${folder}/`)),
  )
  const parents = new Map(listProcesses().map(({ pid }) => [pid, parentOf(pid)]))
  const roots = new Set(own.map(({ pid }) => pid))
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (roots.has(pid) || isBelow(parents.get(pid)))
  return [...parents.keys()].filter((pid) => pid !== process.pid && isBelow(pid))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function parentOf(pid: number): number | undefined {
  const value = statFields(pid)?.[1]
  return value === undefined ? undefined : Number(value)
}

/** Undefined for a process that has ended, though nobody may have asked how yet (a zombie). */
function startTimeOf(pid: number): string | undefined {
  const fields = statFields(pid)
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

/** Fields of /proc/PID/stat from the state on (proc(5): field 3). */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}

/** The interfaces named by the tag, and what hangs on its bridges: the containers' ends of this machine. */
function linksOf(tag: string): string[] {
  const own = readdirSync('/sys/class/net').filter((name) => name.startsWith(tag))
  const ports = own.flatMap((link) => {
    const folder = `/sys/class/net/${link}/brif`
    return existsSync(folder) ? readdirSync(folder) : []
  })
  return [...new Set([...ports, ...own])]
}

/**
 * A daemon that was killed leaves its nftables chains, in tables that it shares with others; an empty table goes too.
 */
function removeRules(links: readonly string[]): void {
  for (const family of ['inet', 'bridge']) {
    if (!linesOf('nft', ['list', 'tables']).includes(`table ${family} lxd`)) continue
    const table = [family, 'lxd']
    const chains = [...readTable(table).matchAll(/\tchain (\S+) \{([^}]*(?:\{[^}]*\}[^}]*)*)\n\t\}/g)]
    const left = chains.flatMap(([, name = '', rules = '']) =>
      links.some((link) => name.endsWith(`.${link}`) || rules.includes(`"${link}"`)) ? [name] : [],
    )
    // One that another jumps to cannot be deleted.
    for (const order of ['flush', 'delete']) for (const name of left) ifThere('nft', [order, 'chain', ...table, name])
    if (!readTable(table).includes('chain')) ifThere('nft', ['delete', 'table', ...table])
  }
}

function readTable(table: readonly string[]): string {
  try {
    return execFileSync('nft', ['list', 'table', ...table], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch {
    return '' // another run has just removed it
  }
}

/** Runs a removal that somebody else may be faster with. */
function ifThere(command: string, args: string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    if (!/no such|cannot find|not mounted|not found/i.test(said)) throw error
  }
}

/** A /24 of 10.64.0.0/10 without a route; of sixteen thousand, so that two runs at once hardly choose the same. */
function chooseSubnet(): string {
  const routes = linesOf('ip', ['route', 'show', 'table', 'all'])
  for (;;) {
    const subnet = `10.${randomInt(64, 128)}.${randomInt(256)}`
    if (!routes.some((line) => line.includes(`${subnet}.`))) return subnet
  }
}

function linesOf(command: string, args: string[]): string[] {
  return execFileSync(command, args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** Makes a folder of the run. */
export function makeRunFolder(run: LxdRun, name: string): string {
  const path = join(run.folder, name)
  mkdirSync(path, { recursive: true })
  return path
}
