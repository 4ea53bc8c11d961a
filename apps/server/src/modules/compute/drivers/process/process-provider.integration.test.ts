import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log.ts'
import { OperatorError } from '../../../../platform/operator-error.ts'
import type { InstanceSpec } from '../../provider/compute-provider.ts'
import { describeProvider, type ProviderUnderTest, testSpec, waitForState } from '../../testing/provider-conformance.ts'
import { createProcessProvider } from './process-provider.ts'
import { findProcess, findProcessesWith, isAlive } from './process-table.ts'

const program = fileURLToPath(new URL('../../testing/fixture-agent.ts', import.meta.url))

interface ProcessHarness extends ProviderUnderTest {
  dataDir: string
  pids(instanceId: string): number[]
}

async function createHarness(): Promise<ProcessHarness> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-process-'))
  const pids = (instanceId: string) =>
    findProcessesWith([`ATOLL_AGENT_HOME=${join(dataDir, 'instances', instanceId)}`]).map((key) => key.pid)
  return {
    dataDir,
    pids,
    open: () => createProcessProvider({ dataDir, program, log: silentLog, graceMs: 300 }),
    countRunning: (instanceId) => pids(instanceId).length,
    async crash(instanceId) {
      for (const pid of pids(instanceId)) process.kill(pid, 'SIGKILL')
    },
    async cleanUp() {
      const provider = createProcessProvider({ dataDir, program, log: silentLog, graceMs: 100 })
      const ids = await provider.list('conformance')
      try {
        for (const id of ids) await provider.destroy(id)
      } finally {
        // A driver that fails its tests must not leave processes behind either.
        for (const pid of ids.flatMap(pids)) process.kill(pid, 'SIGKILL')
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
  }
}

describeProvider('process', createHarness)

describe('driver process', () => {
  let harness: ProcessHarness
  let spec: InstanceSpec
  beforeEach(async () => {
    harness = await createHarness()
    spec = testSpec()
  })
  afterEach(() => harness.cleanUp())

  test('a data folder that cannot be used is reported in a sentence', () => {
    const dataDir = join(harness.dataDir, 'file')
    writeFileSync(dataDir, '')
    const open = () => createProcessProvider({ dataDir, program, log: silentLog })
    expect(open).toThrow(OperatorError)
    expect(open).toThrow(`The data folder ${dataDir} cannot be used: it is a file.`)
  })

  /** Runs a control plane that is killed at `moment` of ensureInstance; resolves when it is gone. */
  async function killedDuringEnsure(moment: 'spawned' | number): Promise<void> {
    const script = `
      const { createProcessProvider } = await import(${JSON.stringify(new URL('process-provider.ts', import.meta.url).href)})
      const { silentLog } = await import(${JSON.stringify(new URL('../../../../platform/log.ts', import.meta.url).href)})
      const childProcess = (await import('node:child_process')).default
      const provider = createProcessProvider({ dataDir: ${JSON.stringify(harness.dataDir)}, program: ${JSON.stringify(program)}, log: silentLog })
      const moment = ${JSON.stringify(moment)}
      const die = () => process.kill(process.pid, 'SIGKILL')
      if (moment === 'spawned') {
        const { default: diagnostics } = await import('node:diagnostics_channel')
        // Published just before the process is made; the next tick comes right after.
        diagnostics.subscribe('child_process', () => process.nextTick(die))
      } else setTimeout(die, moment)
      await provider.ensureInstance(${JSON.stringify(spec)})
      die()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
    const [, signal] = await once(child, 'exit')
    expect(signal).toBe('SIGKILL')
  }

  test.each(['spawned', 0, 1, 2, 3, 5, 10, 25, 50] as const)(
    'a control plane killed at %s of ensureInstance leaves one instance or none, and repeating makes it one',
    async (moment) => {
      await killedDuringEnsure(moment)
      const provider = harness.open()
      // As a reconciler does: what exists is not made again.
      if ((await provider.inspect(spec.instanceId)).state === 'absent') await provider.ensureInstance(spec)
      const { state } = await provider.inspect(spec.instanceId)
      // The reconciler does the same with an instance that should run and does not.
      if (state === 'failed' || state === 'stopped') await provider.start(spec.instanceId)
      await waitForState(provider, spec.instanceId, 'running')
      await expect.poll(() => harness.countRunning(spec.instanceId)).toBe(1)
      await provider.destroy(spec.instanceId)
      expect(readdirSync(join(harness.dataDir, 'making'))).toEqual([])
    },
  )

  test('a restart that is repeated from the same boot starts no process', async () => {
    const provider = harness.open()
    await provider.ensureInstance(spec)
    const { incarnation } = await waitForState(provider, spec.instanceId, 'running')
    let started = 0
    const count = () => {
      started += 1
    }
    // A second process of a running instance ends at once, and is seen nowhere else.
    subscribe('child_process', count)
    try {
      await provider.restart(spec.instanceId, incarnation ?? '')
      expect(started).toBe(1)
      await waitForState(provider, spec.instanceId, 'running')
      await provider.restart(spec.instanceId, incarnation ?? '')
      await harness.open().restart(spec.instanceId, incarnation ?? '')
      expect(started).toBe(1)
    } finally {
      unsubscribe('child_process', count)
    }
  })

  test('a process that ignores SIGTERM is killed after the grace', async () => {
    const provider = harness.open()
    await provider.ensureInstance(spec)
    await waitForState(provider, spec.instanceId, 'running')
    await provider.stop(spec.instanceId)
    writeFileSync(join(harness.dataDir, 'instances', spec.instanceId, 'behave'), 'stubborn')
    await provider.start(spec.instanceId)
    await waitForState(provider, spec.instanceId, 'running')
    await provider.stop(spec.instanceId)
    expect(harness.countRunning(spec.instanceId)).toBe(0)
  })

  test('a pid that was given to another process is neither adopted nor signalled', async () => {
    const provider = harness.open()
    await provider.ensureInstance(spec)
    await waitForState(provider, spec.instanceId, 'running')
    await harness.crash(spec.instanceId)
    await waitForState(provider, spec.instanceId, 'failed')
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' })
    try {
      const key = findProcess(bystander.pid ?? 0)
      writeFileSync(join(harness.dataDir, 'instances', spec.instanceId, 'process.json'), JSON.stringify(key))
      expect((await provider.inspect(spec.instanceId)).state).toBe('failed')
      await provider.stop(spec.instanceId)
      await provider.destroy(spec.instanceId)
      expect(key && isAlive(key)).toBe(true)
    } finally {
      bystander.kill('SIGKILL')
    }
  })

  test('a program that ends at once is failed with its last words', async () => {
    const dying = join(harness.dataDir, 'dying.ts')
    writeFileSync(dying, "console.error('no space left for the fixture')\nprocess.exit(1)\n")
    const provider = createProcessProvider({ dataDir: harness.dataDir, program: dying, log: silentLog })
    await provider.ensureInstance(spec)
    expect(await waitForState(provider, spec.instanceId, 'failed')).toMatchObject({
      reason: expect.stringContaining('no space left for the fixture'),
    })
  })

  test('a destroy that was cut short after taking the folder away is seen and finished', async () => {
    const provider = harness.open()
    await provider.ensureInstance(spec)
    await waitForState(provider, spec.instanceId, 'running')
    const { instanceFolders } = await import('./instance-folder.ts')
    await instanceFolders(harness.dataDir).remove(spec.instanceId)
    expect(await provider.list(spec.deployment)).toEqual([spec.instanceId])
    expect((await provider.inspect(spec.instanceId)).state).not.toBe('absent')
    await provider.destroy(spec.instanceId)
    expect(harness.countRunning(spec.instanceId)).toBe(0)
    expect((await provider.inspect(spec.instanceId)).state).toBe('absent')
    expect(readdirSync(join(harness.dataDir, 'removed'))).toEqual([])
  })

  test.each(['process.json', 'run.json'])('a damaged %s, a note of the process, hinders nothing', async (name) => {
    const provider = harness.open()
    await provider.ensureInstance(spec)
    const { incarnation } = await waitForState(provider, spec.instanceId, 'running')
    writeFileSync(join(harness.dataDir, 'instances', spec.instanceId, name), '{"pid":')
    expect((await provider.inspect(spec.instanceId)).incarnation).toBe(incarnation)
    await provider.restart(spec.instanceId, incarnation ?? '')
    await waitForState(provider, spec.instanceId, 'running')
    expect(harness.countRunning(spec.instanceId)).toBe(1)
    writeFileSync(join(harness.dataDir, 'instances', spec.instanceId, name), '')
    await provider.stop(spec.instanceId)
    expect(harness.countRunning(spec.instanceId)).toBe(0)
  })

  test('an instance whose record is damaged is reported as failed and can be destroyed; others are not concerned', async () => {
    const provider = harness.open()
    const other = testSpec()
    for (const one of [spec, other]) {
      await provider.ensureInstance(one)
      await waitForState(provider, one.instanceId, 'running')
    }
    writeFileSync(join(harness.dataDir, 'instances', spec.instanceId, 'instance.json'), '{"mark":')
    expect(await provider.inspect(spec.instanceId)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('damaged'),
    })
    await expect(provider.stop(spec.instanceId)).rejects.toMatchObject({ retryable: false })
    expect(await provider.list(spec.deployment)).toEqual([other.instanceId])
    await provider.destroy(spec.instanceId)
    expect((await provider.inspect(spec.instanceId)).state).toBe('absent')
    expect(harness.countRunning(spec.instanceId)).toBe(0)
    expect(harness.countRunning(other.instanceId)).toBe(1)
  })

  test("passes nothing of the server's environment on", async () => {
    process.env['ATOLL_SECRET_KEY'] = 'must-not-travel'
    try {
      await harness.open().ensureInstance(spec)
      const [pid] = harness.pids(spec.instanceId)
      expect(findProcessesWith(['ATOLL_SECRET_KEY=must-not-travel']).map((key) => key.pid)).not.toContain(pid)
    } finally {
      delete process.env['ATOLL_SECRET_KEY']
    }
  })

  test('a worker with another folder refuses this work in words, and neither finds nor makes anything there', async () => {
    let id: string | undefined
    const folderId = {
      find: async () => id,
      async keep(other: string) {
        id ??= other
        return id
      },
    }
    const openIn = (dataDir: string) =>
      createProcessProvider({ dataDir, program, log: silentLog, graceMs: 300, folderId })
    const elsewhere = mkdtempSync(join(tmpdir(), 'atoll-process-'))
    try {
      const [right, wrong] = [openIn(harness.dataDir), openIn(elsewhere)]
      // Nothing is made yet: no folder is the one.
      expect((await wrong.inspect(spec.instanceId)).state).toBe('absent')
      expect(id).toBeUndefined()
      await right.ensureInstance(spec)
      await waitForState(right, spec.instanceId, 'running')
      const refusal = { name: 'ProviderError', retryable: true, message: expect.stringContaining('is missing') }
      await expect(wrong.inspect(spec.instanceId)).rejects.toMatchObject(refusal)
      await expect(wrong.list(spec.deployment)).rejects.toMatchObject(refusal)
      await expect(wrong.ensureInstance(testSpec())).rejects.toMatchObject(refusal)
      await expect(wrong.destroy(spec.instanceId)).rejects.toMatchObject(refusal)
      expect(readdirSync(elsewhere)).toEqual([])
      expect((await openIn(harness.dataDir).inspect(spec.instanceId)).state).toBe('running')
      // The operator gave the old folder up: the next instance claims the one it is made in.
      id = undefined
      const anew = testSpec()
      await wrong.ensureInstance(anew)
      await waitForState(wrong, anew.instanceId, 'running')
      await wrong.destroy(anew.instanceId)
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })

  test('an id that is not one never becomes a path', async () => {
    const provider = harness.open()
    await expect(provider.destroy('../../etc')).rejects.toThrow('Not an instance id')
    expect(existsSync('/etc')).toBe(true)
  })
})
