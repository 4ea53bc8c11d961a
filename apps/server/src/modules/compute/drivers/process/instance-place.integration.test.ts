import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Log } from '../../../../platform/log.ts'
import type { ComputeProvider, InstanceSpec } from '../../provider/compute-provider.ts'
import { testSpec, waitForState } from '../../testing/provider-conformance.ts'
import { prepareInstancePlace } from './instance-place.ts'
import { createProcessProvider } from './process-provider.ts'
import { findProcess, findProcessesWith } from './process-table.ts'
import { checkoutRuntime } from './runtime-copy.ts'

const fixture = fileURLToPath(new URL('../../testing/fixture-agent.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

interface Said {
  level: 'info' | 'warn'
  message: string
}

// Skipped for others: only root can start processes as another user.
describe.skipIf(!isRoot)('instances of a server that root started', () => {
  /** One for all tests: a copy of Node is large. */
  let runDir: string
  let root: string
  let dataDir: string
  let said: Said[]
  let specs: InstanceSpec[]
  const log = {
    info: (_: unknown, message: string) => void said.push({ level: 'info', message }),
    warn: (_: unknown, message: string) => void said.push({ level: 'warn', message }),
  } as unknown as Log // all that a place and a provider say in these tests
  const instanceDir = () => join(root, 'instances')
  const warnings = () => said.filter(({ level }) => level === 'warn').map(({ message }) => message)

  beforeAll(() => {
    runDir = mkdtempSync(join(tmpdir(), 'atoll-run-'))
    chmodSync(runDir, 0o755)
  })
  afterAll(() => rmSync(runDir, { recursive: true, force: true }))
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'atoll-place-'))
    chmodSync(root, 0o711)
    // As under a home that only root enters.
    dataDir = join(root, 'private', 'data')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    chmodSync(join(root, 'private'), 0o700)
    copyFileSync(fixture, join(root, 'fixture.ts'))
    chmodSync(join(root, 'fixture.ts'), 0o644)
    said = []
    specs = []
  })
  afterEach(async () => {
    const provider = open()
    for (const { instanceId } of specs) await provider.destroy(instanceId)
    rmSync(root, { recursive: true, force: true })
  })

  const place = (options: { runDir?: string; instanceDir?: string } = {}) =>
    prepareInstancePlace({ dataDir, runDir, instanceDir: instanceDir(), ...options }, log)
  /** A provider as a worker's start makes it, but for what an instance runs. */
  function open(at = place()): ComputeProvider {
    const program = join(root, 'fixture.ts')
    const runtime = { ...(at.runtime ?? checkoutRuntime()), program }
    return createProcessProvider({ ...at, runtime, program, log, graceMs: 300 })
  }
  /** As servers did before there was such a user, and as other users' still do. */
  const openAsBefore = () => open({ dataDir })
  async function boot(provider: ComputeProvider): Promise<InstanceSpec> {
    const spec = testSpec()
    specs.push(spec)
    await provider.ensureInstance(spec)
    await waitForState(provider, spec.instanceId, 'running')
    return spec
  }
  function processOf({ instanceId }: InstanceSpec): { pid: number; uid: number; home: string } {
    const [found] = findProcessesWith([`ATOLL_AGENT_INSTANCE=${instanceId}`])
    const environment = readFileSync(`/proc/${found?.pid}/environ`, 'utf8').split('\0')
    const home = environment.find((entry) => entry.startsWith('ATOLL_AGENT_HOME='))?.slice(17) ?? ''
    return { pid: found?.pid ?? 0, uid: statSync(`/proc/${found?.pid}`).uid, home }
  }

  test('run as a user of their own, who owns their home alone, and are stopped, started and destroyed', async () => {
    const provider = open()
    const spec = await boot(provider)
    const { uid, home } = processOf(spec)
    expect(uid).not.toBe(0)
    expect(statSync(home)).toMatchObject({ uid, mode: 0o40700 })
    expect(home.startsWith(instanceDir())).toBe(true)
    expect(statSync(join(home, 'instance.json')).uid).toBe(uid)
    expect(statSync(join(home, '../..')).uid).toBe(0)
    expect(await provider.usage(spec.instanceId)).toMatchObject({ memoryUsed: expect.any(Number) })
    await provider.stop(spec.instanceId)
    expect((await provider.inspect(spec.instanceId)).state).toBe('stopped')
    await provider.start(spec.instanceId)
    await waitForState(provider, spec.instanceId, 'running')
    // A newly started worker adopts it.
    expect((await open().inspect(spec.instanceId)).incarnation).toContain(`${processOf(spec).pid}:`)
    await provider.destroy(spec.instanceId)
    expect(findProcessesWith([`ATOLL_AGENT_INSTANCE=${spec.instanceId}`])).toEqual([])
    expect(warnings()).toEqual([])
  })

  test('run a copy of the agent that needs nothing of the checkout, which is root’s and made once', () => {
    const { runtime } = place()
    const { user, node = '', program = '', launcher = '' } = runtime ?? {}
    for (const path of [runDir, node, program, launcher]) {
      expect(path.startsWith(runDir)).toBe(true)
      expect(statSync(path).uid).toBe(0)
      expect(statSync(path).mode & 0o022).toBe(0)
    }
    // It has come as far as reading its settings: every package it uses is there.
    const agent = spawnSync(node, [program], { uid: user?.uid, gid: user?.gid, cwd: '/', env: {}, encoding: 'utf8' })
    expect(agent.stderr).toContain('ATOLL_AGENT_HOME')
    const made = statSync(program).ino
    const old = join(runDir, 'agent-of-an-older-version')
    mkdirSync(old)
    utimesSync(old, new Date(0), new Date(0))
    place()
    expect(statSync(program).ino).toBe(made)
    expect(readdirSync(runDir)).toHaveLength(2)
  })

  test('go on in the data folder while they run; their homes move when they are started next', async () => {
    const before = openAsBefore()
    const running = await boot(before)
    const stopped = await boot(before)
    await before.stop(stopped.instanceId)
    for (const name of ['folder-id', 'deployment.json']) writeFileSync(join(dataDir, name), 'said once')
    const first = processOf(running)
    expect(first.uid).toBe(0)
    writeFileSync(join(first.home, 'letter'), 'of the owner')
    symlinkSync('/etc/passwd', join(first.home, 'link'))

    const provider = open()
    // One folder alone says that it has them.
    expect(existsSync(join(dataDir, 'folder-id'))).toBe(false)
    expect(said.map(({ message }) => message)).toContain(
      'instances of earlier runs move, and run as that user, when they are started next',
    )
    expect((await provider.list('conformance')).sort()).toEqual([running.instanceId, stopped.instanceId].sort())
    const { state, incarnation } = await provider.inspect(running.instanceId)
    expect({ state, pid: processOf(running).pid }).toEqual({ state: 'running', pid: first.pid })

    await provider.start(stopped.instanceId)
    await provider.restart(running.instanceId, incarnation ?? '')
    for (const spec of [running, stopped]) {
      await waitForState(provider, spec.instanceId, 'running')
      const { uid, home } = processOf(spec)
      expect(uid).not.toBe(0)
      expect(home.startsWith(instanceDir())).toBe(true)
    }
    const { uid, home } = processOf(running)
    expect(statSync(join(home, 'letter')).uid).toBe(uid)
    expect(statSync('/etc/passwd').uid).toBe(0)
    expect(findProcess(first.pid)).toBeUndefined()
    expect(readdirSync(join(dataDir, 'instances'))).toEqual([])
    expect(warnings()).toEqual([])
  })

  test('one that still runs in the data folder is destroyed with its process', async () => {
    const spec = await boot(openAsBefore())
    await open().destroy(spec.instanceId)
    expect(findProcessesWith([`ATOLL_AGENT_INSTANCE=${spec.instanceId}`])).toEqual([])
    expect((await open().inspect(spec.instanceId)).state).toBe('absent')
  })

  test('stay as they are, which the start says, where nothing can be copied', async () => {
    writeFileSync(join(root, 'file'), '')
    const at = place({ runDir: join(root, 'file', 'run') })
    expect(at).toEqual({ dataDir })
    expect(warnings()).toEqual([
      expect.stringMatching(/^Instances of process run as root, because ENOTDIR.*ATOLL_RUN_DIR/),
    ])
    expect(processOf(await boot(open(at)))).toMatchObject({ uid: 0 })
  })

  test('stay as they are, which the start says, where their user cannot get to', () => {
    const at = place({ instanceDir: join(root, 'private', 'instances') })
    expect(at).toEqual({ dataDir })
    expect(warnings()).toEqual([
      expect.stringMatching(/run as root, because the user atoll-instance cannot use .*EACCES/),
    ])
    said = []
    const everybodys = join(root, 'everybodys')
    mkdirSync(everybodys)
    chmodSync(everybodys, 0o777)
    expect(place({ runDir: everybodys })).toEqual({ dataDir })
    expect(warnings()).toEqual([expect.stringContaining('can be written by others than root')])
  })

  test('one that cannot be moved stays as it is, and is reported', async () => {
    const elsewhere = mkdtempSync('/dev/shm/atoll-place-')
    try {
      chmodSync(elsewhere, 0o711)
      const before = openAsBefore()
      const spec = await boot(before)
      await before.stop(spec.instanceId)
      const provider = open(place({ instanceDir: elsewhere }))
      expect(warnings()).toEqual([expect.stringContaining('on another file system than ATOLL_INSTANCE_DIR')])
      await provider.start(spec.instanceId)
      await waitForState(provider, spec.instanceId, 'running')
      expect(processOf(spec)).toMatchObject({ uid: 0, home: join(dataDir, 'instances', spec.instanceId) })
      expect(warnings()).toContain('this instance stays where it is and runs as root')
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })

  test('once given to their user they are never run as root again', async () => {
    const spec = await boot(open())
    writeFileSync(join(processOf(spec).home, '../../folder-id'), 'x')
    writeFileSync(join(root, 'file'), '')
    const provider = open(place({ runDir: join(root, 'file', 'run') }))
    expect((await provider.inspect(spec.instanceId)).state).toBe('running')
    await provider.stop(spec.instanceId)
    await expect(provider.start(spec.instanceId)).rejects.toMatchObject({ name: 'ProviderError', retryable: true })
    expect(findProcessesWith([`ATOLL_AGENT_INSTANCE=${spec.instanceId}`])).toEqual([])
  })

  test('lead root to no other file by what they put in place of theirs', async () => {
    const provider = open()
    const spec = await boot(provider)
    const { home } = processOf(spec)
    await provider.stop(spec.instanceId)
    const secret = join(root, 'secret')
    writeFileSync(secret, 'only for root\n', { mode: 0o600 })
    rmSync(join(home, 'agent.log'))
    symlinkSync(secret, join(home, 'agent.log'))
    await expect(provider.start(spec.instanceId)).rejects.toThrow()
    expect(JSON.stringify(await provider.inspect(spec.instanceId))).not.toContain('only for root')
    expect(readFileSync(secret, 'utf8')).toBe('only for root\n')
    rmSync(join(home, 'run.json'), { force: true })
    spawnSync('mkfifo', [join(home, 'run.json')])
    rmSync(join(home, 'agent.log'))
    await provider.start(spec.instanceId)
    expect((await provider.inspect(spec.instanceId)).incarnation).not.toBeNull()
  })
})
