import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { listProcesses } from '../processes.ts'
import { until } from '../until.ts'
import { type LxdRun, makeRunFolder } from './lxd-run.ts'

/** One LXD daemon with its own folder. */
export interface LxdDaemon {
  name: string
  /** LXD_DIR. */
  folder: string
  socket: string
  readonly pid: number
  /** SIGKILL; its containers run on. */
  kill(): Promise<void>
  /** Starts it again on its folder. */
  start(): Promise<void>
  /** Runs `lxc` or `lxd` against it, and gives what it prints. */
  run(program: 'lxc' | 'lxd', args: string[], input?: string): string
  /** Runs a command in an instance of the project `atoll`, and gives what it prints; throws when it fails. */
  runInside(instance: string, command: string[]): string
  /** Pids of the init of each of its containers, by LXC's name (`PROJECT_NAME`). */
  containers(): Map<string, number>
}

/** `command` starts the daemon for LXD_DIR; default: `lxd` in this network namespace. */
export async function startLxdDaemon(
  lxdRun: LxdRun,
  name: string,
  command: (folder: string) => string[] = () => lxdCommand,
): Promise<LxdDaemon> {
  const folder = makeRunFolder(lxdRun, name)
  const logFile = join(lxdRun.folder, `${name}.log`)
  const env = { ...process.env, LXD_DIR: folder, PATH: `/usr/sbin:/sbin:${process.env['PATH']}` }
  let child: ChildProcess | undefined

  const run: LxdDaemon['run'] = (program, args, input) => execFileSync(program, args, { env, input, encoding: 'utf8' })

  async function start(): Promise<void> {
    const output = openSync(logFile, 'a')
    const [program = '', ...args] = command(folder)
    const started = spawn(program, args, { env, detached: true, stdio: ['ignore', output, output] })
    closeSync(output)
    child = started
    await once(started, 'spawn')
    await until(
      `LXD ${name} answers`,
      () => {
        if (started.exitCode !== null || started.signalCode !== null) throw new Error('it ended')
        return answers(join(folder, 'unix.socket'))
      },
      { onTimeout: () => readFileSync(logFile, 'utf8').slice(-4000) },
    )
  }

  await start()
  return {
    name,
    folder,
    socket: join(folder, 'unix.socket'),
    get pid() {
      return child?.pid ?? 0
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    start,
    run,
    // By way of a file: on a busy machine what a command prints gets lost on the way out (canonical/lxd#11422).
    runInside(instance, command) {
      const inProject = ['--project', 'atoll']
      run('lxc', ['exec', ...inProject, instance, '--', 'sh', '-c', '"$@" >"$0"', outputFile, ...command])
      return run('lxc', ['file', 'pull', ...inProject, `${instance}${outputFile}`, '-'])
    },
    containers: () => listContainers(folder),
  }
}

/** In an instance. Not in `/tmp`, which is mounted while it boots. */
const outputFile = '/output-of-test'

export const lxdCommand = ['lxd', '--group', 'root']

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/1.0' }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .on('error', reject)
      .end()
  })
}

/** By LXC's monitors, which outlive the daemon: `[lxc monitor] FOLDER/containers PROJECT_NAME`. */
function listContainers(folder: string): Map<string, number> {
  const processes = listProcesses()
  const inits = new Set(processes.filter(({ command }) => command[0]?.endsWith('init')).map(({ pid }) => pid))
  const containers = new Map<string, number>()
  for (const { pid, command } of processes) {
    const text = command.join(' ')
    if (!text.startsWith(`[lxc monitor] ${folder}/containers `)) continue
    // A monitor also runs LXD's hooks, when its container ends.
    const init = childrenOf(pid).find((child) => inits.has(child))
    if (init !== undefined) containers.set(text.split(' ')[3] ?? '', init)
  }
  return containers
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch (error) {
    // It ended since it was listed.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return []
    throw error
  }
}
