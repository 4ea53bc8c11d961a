/**
 * Killing a server in the middle of an operation. The moment is chosen by what the API shows, by the answer of the
 * call itself, or by a delay from the seeded generator; what dies is the server alone, with its PostgreSQL, or
 * everything.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type ClusterStatus, InstallLog, type Resource } from '@atoll/contract/clusters'
import { codes, type Envelope } from '@atoll/contract/wire'
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
  /** As soon as this install step runs, or one after it. */
  | { at: 'step'; index: number }

export interface Crash {
  server: ServerProcess
  scope: CrashScope
  point: CrashPoint
  /** Sends the request; repeated after the restart when its answer was lost, with the same idempotency key. */
  send(): Promise<Envelope<unknown>>
  /** The cluster as the list shows it. */
  find(): Promise<Resource | undefined>
}

export interface Crashed {
  /** The request's first answer, or that of its repetition. */
  answer: Envelope<unknown>
  /** Whether the point was met exactly; a quick operation can be over before it is seen. */
  met: boolean
}

/** The point in words, for the title of a test. */
export function nameOf(point: CrashPoint): string {
  if (point.at === 'delay') return `${point.ms} ms after the request`
  if (point.at === 'answer') return 'at the answer'
  return point.at === 'status' ? `when it is ${point.status}` : `in step ${point.index} of the install`
}

/** Sends the request, kills at the point, starts the server again and makes sure that the request was answered. */
export async function crashDuring({ server, scope, point, send, find }: Crash): Promise<Crashed> {
  // A lost answer is what the crash is for; the request is repeated below.
  const answered: Promise<Envelope<unknown> | undefined> = send().catch(() => undefined)
  const met = await reach(point, answered, find)
  await kill(server, scope)
  const answer = await answered
  await server.restart()
  return { answer: answer ?? (await repeat(send)), met }
}

/** After a crash of the whole machine the instance boots first; until it is at rest again an action is refused. */
async function repeat(send: Crash['send']): Promise<Envelope<unknown>> {
  return await until('the repeated request is not refused', async () => {
    const answer = await send()
    return answer.code !== codes.conflict && answer
  })
}

async function reach(point: CrashPoint, answered: Promise<unknown>, find: Crash['find']): Promise<boolean> {
  if (point.at === 'delay') {
    await delay(point.ms)
    return true
  }
  await answered
  if (point.at === 'answer') return true
  const outcome = await until(
    `the crash point ${JSON.stringify(point)}`,
    async () => {
      const seen = await find()
      if (point.at === 'status' && seen?.status === point.status) return 'met'
      if (point.at === 'step' && seen && isAtStep(seen, point.index)) return 'met'
      return isAtRest(seen) && 'passed'
    },
    { intervalMs: 1 },
  )
  return outcome === 'met'
}

function isAtStep(cluster: Resource, index: number): boolean {
  const steps = InstallLog.parse(JSON.parse(cluster.installLog))
  return steps[index] !== undefined && steps[index].state !== 'pending' && steps.some((step) => step.state !== 'done')
}

function isAtRest(cluster: Resource | undefined): boolean {
  return cluster === undefined || ['inactivated', 'running', 'stopped', 'errored'].includes(cluster.status)
}

/** When it resolves, the process is gone. */
export async function kill(server: ServerProcess, scope: CrashScope): Promise<void> {
  await server.kill('SIGKILL')
  if (scope === 'server') return
  for (const { pid, command } of listProcessesOf(server.dataDir)) {
    const isAgent = command.some((part) => part.endsWith('apps/agent/src/main.ts'))
    if (isAgent && scope === 'server and database') continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // A backend ends when its postmaster dies.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
