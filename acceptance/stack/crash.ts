/**
 * Killing a server in the middle of an operation. The moment is chosen by what the API shows, by the answer of the call
 * itself, or by a delay from the seeded generator; what dies is the server alone, with its PostgreSQL, or everything.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterStatus, Envelope, Resource } from '@atoll/contract'
import { listProcessesOf, type ServerProcess, until } from '@atoll/testkit'

/** `server`: PostgreSQL and agents live on. `server and database`: agents live on. `machine`: nothing does. */
export type CrashScope = 'server' | 'server and database' | 'machine'

export type CrashPoint =
  /** Between sending the request and its answer, or soon after; ms after sending. */
  | { at: 'delay'; ms: number }
  /** As soon as the answer is there. */
  | { at: 'answer' }
  /** As soon as the list shows the status, or something later than it. */
  | { at: 'status'; status: ClusterStatus }
  /** As soon as this install step runs. */
  | { at: 'step'; index: number }

export interface Crash {
  server: ServerProcess
  scope: CrashScope
  point: CrashPoint
  /** Sends the request; repeated after the restart when its answer was lost, with the same idempotency key. */
  send(): Promise<Envelope<unknown>>
  /** The cluster as the list shows it. */
  look(): Promise<Resource | undefined>
}

/** Sends the request, kills at the point, starts the server again and makes sure that the request was answered. */
export async function crashDuring({ server, scope, point, send, look }: Crash): Promise<Envelope<unknown>> {
  const answered: Promise<Envelope<unknown> | undefined> = send().catch(() => undefined)
  await reach(point, answered, look)
  await kill(server, scope)
  const answer = await answered
  await server.restart()
  return answer ?? (await send())
}

async function reach(point: CrashPoint, answered: Promise<unknown>, look: Crash['look']): Promise<void> {
  if (point.at === 'delay') {
    await delay(point.ms)
    return
  }
  await answered
  if (point.at === 'answer') return
  const started = Date.now()
  await until(
    `the crash point ${JSON.stringify(point)}`,
    async () => {
      const seen = await look()
      if (point.at === 'status' && seen?.status === point.status) return true
      if (point.at === 'step' && seen && hasStepStarted(seen, point.index)) return true
      // A quick machine may pass a status between two looks; then this crash comes when the operation has ended.
      return isAtRest(seen) && Date.now() - started > 50
    },
    { intervalMs: 2 },
  )
}

function hasStepStarted(cluster: Resource, index: number): boolean {
  const steps = JSON.parse(cluster.installLog) as { state: string }[]
  return steps[index] !== undefined && steps[index].state !== 'pending'
}

function isAtRest(cluster: Resource | undefined): boolean {
  return cluster === undefined || ['inactivated', 'running', 'stopped', 'errored'].includes(cluster.status)
}

async function kill(server: ServerProcess, scope: CrashScope): Promise<void> {
  await server.kill('SIGKILL')
  if (scope === 'server') return
  for (const { pid, command } of listProcessesOf(server.dataDir)) {
    const isAgent = command.some((part) => part.endsWith('apps/agent/src/main.ts'))
    if (isAgent && scope === 'server and database') continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // A backend goes by itself when its postmaster dies.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
