/**
 * A machine of somebody's own, for tests: a network namespace that reaches one address of this machine and nothing
 * else, and that nothing reaches from outside. Programs in it are this machine's; its files are a folder.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

/** Debian's packages with what such a machine needs here. */
export const ownMachinePackages = ['iproute2', 'nftables', 'curl'] as const
const programs = ['/sbin/ip', '/usr/sbin/nft', '/usr/bin/curl']

/** Why no such machine can be made here, as the end of a sentence; undefined when it can. */
export function whyNoOwnMachine(): string | undefined {
  if (platform() !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = programs.filter((path) => !existsSync(path))
  if (missing.length > 0) return `there is no ${missing.join(', ')}`
  try {
    execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' })
  } catch {
    return 'this machine does not let root make network namespaces'
  }
  return undefined
}

export interface OwnMachine extends AsyncDisposable {
  /** Of this machine, as the other one reaches it. */
  readonly serverAddress: string
  /** Of the machine itself; nothing answers there. */
  readonly address: string
  /** Where the command installs to. */
  readonly folder: string
  /** Runs a line in the machine's shell; resolves with its output, or rejects with all it said. */
  run(line: string): Promise<string>
  /** Ends every program of the machine at once, as a power cut does. */
  cutPower(): Promise<void>
}

let made = 0

/**
 * Names and addresses are this process's own. `beside`: it reaches this machine at the same address as that one does.
 */
export async function makeOwnMachine({ beside }: { beside?: OwnMachine } = {}): Promise<OwnMachine> {
  made += 1
  const id = `${process.pid}-${made}`
  const name = `atoll-own-${id}`
  // 15 characters are the most that the name of an interface may have.
  const outer = `ao${process.pid}${String.fromCharCode(96 + made)}`
  const inner = `${outer}i`
  // 198.18.0.0/15 is kept for tests (RFC 2544): nobody's network is hidden.
  const third = process.pid % 256
  const gateway = `198.18.${third}.${made * 4 + 1}`
  const serverAddress = beside?.serverAddress ?? gateway
  const address = `198.18.${third}.${made * 4 + 2}`
  const folder = mkdtempSync(join(tmpdir(), `atoll-own-${id}-`))
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const inside = (...words: string[]) => ['netns', 'exec', name, ...words]

  function removeNetwork(): void {
    for (const words of [
      ['link', 'del', outer],
      ['netns', 'del', name],
    ]) {
      try {
        ip(...words)
      } catch {
        // Not made, or gone with its other end.
      }
    }
  }

  async function cutPower(): Promise<void> {
    // A loop that starts what ended may be in the middle of it.
    await until('the machine is off', () => {
      const pids = execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n').filter(Boolean)
      for (const pid of pids) killIfAlive(Number(pid))
      return pids.length === 0
    })
  }

  try {
    ip('netns', 'add', name)
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name)
    ip('addr', 'add', `${gateway}/30`, 'dev', outer)
    ip('link', 'set', outer, 'up')
    ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', inner)
    ip('-n', name, 'link', 'set', inner, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    if (beside) ip('-n', name, 'route', 'add', `${serverAddress}/32`, 'via', gateway)
    // Answers come in, and nothing else: as behind the router of a home. There is no route to anywhere further.
    const rules = `table inet home { chain input { type filter hook input priority 0; policy drop;
      iif lo accept; ct state established,related accept; }; }`
    execFileSync('ip', inside('nft', '-f', '-'), { input: rules, stdio: ['pipe', 'ignore', 'pipe'] })
  } catch (error) {
    removeNetwork()
    throw error
  }

  return {
    serverAddress,
    address,
    folder,
    run: (line) => runToEnd(['ip', ...inside('env', '-i', ...environmentOf(folder), 'sh', '-c', line)]),
    cutPower,
    async [Symbol.asyncDispose]() {
      await cutPower()
      removeNetwork()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * As somebody has it who logs in there. Our Node is there; that one without is given one is tested by a path without
 * it.
 */
function environmentOf(folder: string): string[] {
  const path = `${join(process.execPath, '..')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  // A service of this machine is no part of the other one.
  return [`PATH=${path}`, `HOME=${folder}`, `ATOLL_DIR=${folder}/atoll`, 'ATOLL_NO_SYSTEMD=1']
}

async function runToEnd([program = '', ...words]: string[]): Promise<string> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('error', reject)
  child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`ended with ${code}:\n${output}`))))
  return await promise
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
