/**
 * The checks of `atollctl doctor` as conditions: a worker looks at the deployment now and then, and each check that has
 * failed twice in a row is told, and its end. Other processes know the conditions and nothing of how they are. Each
 * machine has its own, as two may see different files, names and hosts.
 */
import type { Log } from '../../platform/log.ts'
import { startTicker, type Ticker } from '../../platform/ticker.ts'
import type { Condition } from './watch.ts'

/** As a check has found it. */
export interface Checked {
  name: string
  title: string
  state: 'passed' | 'failed' | 'warning' | 'skipped'
  /** It was skipped because it could not be seen, which is neither a beginning nor an end. */
  isUnseen?: true
  found?: string
  mend?: string
  commands?: readonly string[]
}

/** Mail server, store and LXD are asked each time. */
const everyMs = 15 * 60_000

export interface CheckWatch {
  conditions: Condition[]
  /** Looks once. */
  refresh(): Promise<void>
  start(log: Log): Ticker
}

/** `names`: of the checks. `examine`: undefined in a process that does not look. */
export function createCheckWatch(
  names: readonly string[],
  examine: (() => Promise<readonly Checked[]>) | undefined,
): CheckWatch {
  let found = new Map<string, { now: Checked; before: Checked | undefined }>()

  async function refresh(): Promise<void> {
    const checks = (await examine?.()) ?? []
    found = new Map(checks.map((now) => [now.name, { now, before: found.get(now.name)?.now }]))
  }

  return {
    refresh,
    start: (log) => startTicker(everyMs, log, 'checking the deployment', refresh),
    conditions: names.map((name) => ({
      name: `check ${name}`,
      severity: 'critical',
      isOfMachine: true,
      isKnown() {
        const { now, before } = found.get(name) ?? {}
        return now !== undefined && !now.isUnseen && (now.state !== 'failed' || before?.state === 'failed')
      },
      async find() {
        const now = found.get(name)?.now
        if (now?.state !== 'failed') return undefined
        const command = now.commands?.map((one) => ` ${one}`).join(';') ?? ''
        return `“${now.title}” is not so. ${now.found ?? ''} ${now.mend ?? ''}${command}`.trim()
      },
    })),
  }
}
