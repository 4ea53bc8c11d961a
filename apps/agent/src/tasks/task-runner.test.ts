import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TaskReport, taskKinds, taskResultLimit } from '@atoll/contract/agents'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { controlTasks } from '../app/control-tasks.ts'
import { defineAgentTask, type TaskContext } from '../kernel/agent-task.ts'
import { createLog } from '../kernel/log.ts'
import { createTestFolder, type TestFolder } from '../testing/seeded-home.ts'
import { createDrain } from './drain.ts'
import { taskFile } from './task-file.ts'
import { openTaskRunner, type TaskRunner } from './task-runner.ts'

const any = z.record(z.string(), z.unknown())
const log = createLog({ write: () => undefined })
let folder: TestFolder
let path: string
const progress: unknown[] = []

beforeEach(async () => {
  folder = await createTestFolder()
  path = join(folder.path, 'tasks.json')
  progress.length = 0
})
afterEach(() => folder[Symbol.asyncDispose]())

async function open(run: (context: TaskContext<unknown>) => Promise<Record<string, unknown>>): Promise<TaskRunner> {
  const runner = await openTaskRunner({
    kinds: [defineAgentTask({ kind: 'back up', lane: 'restic', params: any, result: any }, run)],
    file: taskFile(path),
    log,
    hide: (text) => text.replaceAll('/srv/customers/17', ''),
    onChange: () => undefined,
    onProgress: (_, value) => progress.push(value),
  })
  runner.resume()
  return runner
}

const offer = (taskId: string, kind = 'back up') => ({ type: 'task', taskId, kind, params: {} }) as const
const ended = (runner: TaskRunner, taskId: string): Promise<TaskReport> =>
  vi.waitUntil(() => runner.reports().find((task) => task.taskId === taskId && /done|failed|canceled/.test(task.state)))

describe('a task', () => {
  test('that a stop cut short runs again, and its end is on disk, for this user only, when it is reported', async () => {
    const first = await open(async ({ signal }) => {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return {}
    })
    first.obey(offer('at_1'))
    await vi.waitUntil(() => first.reports()[0]?.state === 'running')
    await first.stop()
    const second = await open(async () => ({ files: 3 }))
    expect(await ended(second, 'at_1')).toEqual({ taskId: 'at_1', state: 'done', result: { files: 3 }, reason: null })
    expect(JSON.parse(await readFile(path, 'utf8')).tasks[0]).toMatchObject({ state: 'done', result: { files: 3 } })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await second.stop()
    const third = await open(() => Promise.reject(new Error('it ran again')))
    expect(third.reports()[0]).toMatchObject({ state: 'done' })
    third.obey({ type: 'taskSeen', taskId: 'at_1' })
    await vi.waitUntil(() => third.reports().length === 0)
    await third.stop()
  })

  test('of a held lane waits, the one that runs is waited for, and giving up lets the lane go on', async () => {
    const [begun, over] = [new Set<string>(), Promise.withResolvers<void>()]
    const runner = await open(async ({ taskId }) => {
      begun.add(taskId)
      await over.promise
      return {}
    })
    runner.obey(offer('at_1'))
    await vi.waitUntil(() => begun.has('at_1'))
    const giving = new AbortController()
    let isQuiet = false
    const held = runner.holdLane('restic', giving.signal).then(() => {
      isQuiet = true
    })
    runner.obey(offer('at_2'))
    await vi.waitUntil(() => runner.reports().length === 2)
    expect(isQuiet).toBe(false)
    over.resolve()
    await held
    expect(await ended(runner, 'at_1')).toMatchObject({ state: 'done' })
    expect([...begun]).toEqual(['at_1'])
    await runner.stop()
    const next = await open(async () => ({ files: 2 }))
    expect(await ended(next, 'at_2')).toMatchObject({ state: 'done', result: { files: 2 } })
    giving.abort(new Error('canceled'))
    await expect(next.holdLane('restic', giving.signal)).rejects.toThrow('canceled')
    next.obey(offer('at_3'))
    expect(await ended(next, 'at_3')).toMatchObject({ state: 'done' })
    const goOn = await next.holdLane('restic', new AbortController().signal)
    next.obey(offer('at_4'))
    await vi.waitUntil(() => next.reports().some(({ taskId, state }) => taskId === 'at_4' && state === 'queued'))
    goOn()
    expect(await ended(next, 'at_4')).toMatchObject({ state: 'done' })
    await next.stop()
  })

  test('that is offered again after its end was seen does not run again: that end is reported again', async () => {
    const runs: string[] = []
    const first = await open(async ({ taskId }) => {
      runs.push(taskId)
      return { files: runs.length }
    })
    first.obey(offer('at_1'))
    const end = await ended(first, 'at_1')
    first.obey({ type: 'taskSeen', taskId: 'at_1' })
    await vi.waitUntil(() => first.reports().length === 0)
    await first.stop()
    // By a control plane, say, that was brought back from a copy in which it is under way.
    const second = await open(() => Promise.reject(new Error('it ran again')))
    for (const _ of [1, 2]) {
      second.obey(offer('at_1'))
      expect(await ended(second, 'at_1')).toEqual(end)
      second.obey({ type: 'taskSeen', taskId: 'at_1' })
      await vi.waitUntil(() => second.reports().length === 0)
    }
    await second.stop()
    expect(runs).toEqual(['at_1'])
  })

  test('whose end was seen before ends were kept is reported as failed', async () => {
    await writeFile(path, JSON.stringify({ tasks: [], seen: ['at_old'] }), { mode: 0o600 })
    const runner = await open(() => Promise.reject(new Error('it ran again')))
    runner.obey(offer('at_old'))
    expect(await ended(runner, 'at_old')).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/ended before/),
    })
    await runner.stop()
  })

  test('fails in words when it throws, says too much, or is of a kind that only a newer agent knows', async () => {
    const runner = await open(async ({ taskId }) => {
      if (taskId === 'at_1') throw new Error("ENOSPC: no space, mkdir '/srv/customers/17/restored'")
      return { much: 'x'.repeat(taskResultLimit) }
    })
    runner.obey(offer('at_1'))
    runner.obey(offer('at_2'))
    runner.obey(offer('at_3', 'fly'))
    expect(await ended(runner, 'at_1')).toMatchObject({
      state: 'failed',
      reason: "ENOSPC: no space, mkdir '/restored'",
    })
    expect(await ended(runner, 'at_2')).toMatchObject({ state: 'failed', result: null })
    expect((await ended(runner, 'at_3')).reason).toContain('does not know the task “fly”')
    await runner.stop()
  })

  test('of which there are too many waits to be offered again', async () => {
    const runner = await open(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    for (let at = 0; at < 9; at += 1) runner.obey(offer(`at_${at}`))
    await vi.waitUntil(() => runner.reports().length > 0)
    expect(runner.reports().map(({ state }) => state)).toEqual(['running', 'queued', 'queued', 'queued'])
    await runner.stop()
  })

  test('goes on when nothing can be written', async () => {
    path = join(folder.path, 'missing', 'tasks.json')
    const runner = await open(async () => ({}))
    runner.obey(offer('at_1'))
    expect(await ended(runner, 'at_1')).toMatchObject({ state: 'done' })
    await runner.stop()
  })
})

test('of progress that comes fast the first is said, and nothing after the end', async () => {
  const runner = await open(async ({ progress: say }) => {
    for (let files = 1; files <= 5; files += 1) say({ files })
    return {}
  })
  runner.obey(offer('at_1'))
  await ended(runner, 'at_1')
  expect(progress).toEqual([{ files: 1 }])
  await runner.stop()
})

describe('the tasks of control', () => {
  const draining = createDrain()
  const activation = { rotate: vi.fn(async () => undefined) }
  const restart = vi.fn()
  const kinds = controlTasks({ draining, activation, bootId: 'boot', restart, leave: async () => undefined })
  const run = (kind: string, params: object, signal = new AbortController().signal) =>
    kinds.find((one) => one.kind === kind)?.run({ taskId: 'at_1', params, signal, progress: () => undefined })

  test('restart the process unless that has been done', async () => {
    expect(await run(taskKinds.restart.kind, { bootId: 'the boot before' })).toEqual({})
    expect(restart).not.toHaveBeenCalled()
    const stopping = new AbortController()
    const restarting = run(taskKinds.restart.kind, { bootId: 'boot' }, stopping.signal)
    stopping.abort(new Error('the agent stops'))
    await expect(restarting).rejects.toThrow('the agent stops')
    expect(restart).toHaveBeenCalledOnce()
  })

  test('make the one-time password of the task, and refuse parameters of another kind', async () => {
    expect(await run(taskKinds.rotate.kind, {})).toEqual({})
    expect(activation.rotate).toHaveBeenCalledWith('at_1')
    await expect(run(taskKinds.drain.kind, { withinMs: 'soon' })).rejects.toThrow(/withinMs/)
  })
})
