/**
 * Install. States of the whole: waiting → running → done | failed; of a step: pending → running → done | failed.
 * Only this file writes them. Each change is on disk before the next step starts, so after a kill the installer goes
 * on at the step that was running: every step may be run again and again (`steps/*`). A failed install stays failed
 * until the control plane sends a new task; done steps of the same release are then kept and it goes on at the failed
 * one.
 */
import { type AgentCommand, type InstallState, restoreStep, scriptStep } from '@atoll/contract/agents'
import type { InstallStep } from '@atoll/contract/clusters'
import type { Step, StepContext } from '../drive/install-step.ts'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { describeError, type Log, oneLine } from '../kernel/log.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { untilAborted } from '../kernel/until-aborted.ts'

export type InstallTask = Extract<AgentCommand, { type: 'install' }>

/** The wire's limit (`InstallStep.lines`); the oldest lines go first. */
const maxLines = 200
const maxLineLength = 500
/** A step that is not through by then is given up, ms. The longest, fetch, hashes some MB. */
const stepTimeLimitMs = 120_000
/** An operator's script may fetch and unpack what it likes; still shorter than the operation that waits for it. ms */
const scriptTimeLimitMs = 10 * 60_000
/** A restore waits for its password and may be large; one that stalls gives up on its own. ms */
const restoreTimeLimitMs = 24 * 3600_000
const timeLimitsMs: ReadonlyMap<string, number> = new Map([
  [scriptStep, scriptTimeLimitMs],
  [restoreStep, restoreTimeLimitMs],
])

export interface InstallerOptions {
  store: StateStore
  log: Log
  steps: Readonly<Record<string, Step>>
  context: Omit<StepContext, 'signal' | 'say' | 'version' | 'store'>
  now?: () => Date
}

export interface Installer {
  /** Takes up `task`, once: the same task again changes nothing. A task that comes while another runs waits for it. */
  accept(task: InstallTask): Promise<void>
  /** Goes on with what a killed agent left running. */
  resume(): void
  /** Stops between or inside steps; the next start resumes. Resolves when nothing runs any more. */
  stop(): Promise<void>
}

export function createInstaller({ store, log, steps, context, now = () => new Date() }: InstallerOptions): Installer {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function accept(task: InstallTask): Promise<void> {
    if (store.current.install.taskId === task.taskId || stopping.signal.aborted) return
    if (running) {
      await running
      return await accept(task)
    }
    const { release, install } = store.current
    const isSameRelease =
      release?.version === task.version && sameNames(release.steps, task.steps) && release.script === task.script
    const kept = isSameRelease ? install.steps : []
    const plan = task.steps.map((step, at) => (kept[at]?.state === 'done' ? kept[at] : pendingStep(step)))
    log.info('install', `task ${task.taskId}: ${task.version}, ${task.steps.length} steps`)
    await remember({
      install: { state: 'running', taskId: task.taskId, reason: null, steps: plan },
      release: {
        version: task.version,
        steps: task.steps,
        ...(task.script !== undefined && { script: task.script }),
      },
    })
    start()
  }

  function start(): void {
    if (running || store.current.install.state !== 'running') return
    running = runSteps().finally(() => {
      running = undefined
    })
  }

  async function runSteps(): Promise<void> {
    for (const [at, { step, state }] of store.current.install.steps.entries()) {
      if (state === 'done') continue
      if (stopping.signal.aborted) return
      if (!(await runStep(at, step))) return
    }
    await remember({ install: { ...store.current.install, state: 'done' } })
    log.info('install', 'done')
  }

  /** Whether the next step may start. */
  async function runStep(at: number, name: string): Promise<boolean> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeLimitsMs.get(name) ?? stepTimeLimitMs)])
    const say = (source: string, message: string) => addLine(at, source, message)
    try {
      await saveStep(at, { state: 'running', startedAt: now().toISOString(), endedAt: null })
      const run = Object.hasOwn(steps, name) ? steps[name] : undefined
      if (!run) throw new Error(`this agent does not know the step “${name}”; it is older than the release`)
      const version = store.current.release?.version ?? ''
      await untilAborted(run({ ...context, store, version, signal, say }), signal)
      await saveStep(at, { state: 'done', endedAt: now().toISOString() })
      return true
    } catch (error) {
      if (stopping.signal.aborted) return false
      const reason = explainFailure(error, name)
      log.error('install', `step ${name} failed: ${describeError(error)}`)
      addLine(at, name, reason)
      await remember({
        install: { ...withStep(at, { state: 'failed', endedAt: now().toISOString() }), state: 'failed', reason },
      })
      return false
    }
  }

  function addLine(at: number, source: string, message: string): void {
    const line = oneLine(`${now().toISOString().slice(11, 19)} ${source} ${message}`).slice(0, maxLineLength)
    const lines = store.current.install.steps[at]?.lines ?? []
    store.updateInMemory({ install: withStep(at, { lines: [...lines, line].slice(-maxLines) }) })
  }

  function withStep(at: number, change: Partial<InstallStep>): InstallState {
    const { install } = store.current
    return { ...install, steps: install.steps.map((step, index) => (index === at ? { ...step, ...change } : step)) }
  }

  function saveStep(at: number, change: Partial<InstallStep>): Promise<void> {
    return store.update({ install: withStep(at, change) })
  }

  /** For states that end or begin an install: a full disk must not keep them from being reported. */
  async function remember(change: Parameters<StateStore['update']>[0]): Promise<void> {
    try {
      await store.update(change)
    } catch (error) {
      log.error('install', `the state could not be written: ${describeError(error)}`)
    }
  }

  return {
    accept,
    resume: start,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function pendingStep(step: string): InstallStep {
  return { step, state: 'pending', startedAt: null, endedAt: null, lines: [] }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at])
}

/** At most 500 characters (`InstallState.reason`). Never a stack, never a path of the machine. */
function explainFailure(error: unknown, step: string): string {
  return sentenceOf(error, step).slice(0, 500)
}

function sentenceOf(error: unknown, step: string): string {
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT'))
    return 'The disk of the instance is full. Choose a larger disk, or free space, and retry.'
  if (hasErrorCode(error, 'EROFS'))
    return 'The disk of the instance is read-only. It may be damaged; check it, and retry.'
  if (hasErrorCode(error, 'EACCES', 'EPERM'))
    return 'The agent may not write to its own folder. Correct the permissions, and retry.'
  if (hasErrorCode(error, 'EIO')) return 'The disk of the instance answers with errors. Replace it, and retry.'
  if (hasErrorCode(error, 'EMFILE', 'ENFILE')) return 'The instance has too many open files. Restart it, and retry.'
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The step “${step}” took too long and was given up. Retry it.`
  return describeError(error)
}
