/**
 * The control plane's answers about this cluster's backups, and the rights to read that it grants. A right is kept
 * until shortly before its end, in memory alone.
 */
import { agentBackupGrant, agentBackups, type KeptBackups, type TaskRepository } from '@atoll/contract/agents'
import { type Call, type CallData, codes, readOpen } from '@atoll/contract/wire'
import { z } from 'zod'
import { HttpProblem } from '../../kernel/problem.ts'
import type { Enrolled } from '../../link/enroll.ts'

const Answer = z.object({ code: z.number(), data: z.unknown() })
const timeLimitMs = 10_000
/** One that ends sooner is not begun with: a large file takes a while. ms */
const leastLeftMs = 10 * 60_000

export interface BackupSource {
  list(): Promise<KeptBackups>
  /** `isFresh`: it was asked for just now. */
  grant(backupId: string): Promise<{ repository: TaskRepository; isFresh: boolean }>
  /** It was refused: the next call asks for a new one. */
  drop(backupId: string): void
}

export interface BackupSourceOptions {
  /** Where the control plane is reached now. */
  controlUrl(): string
  /** Undefined until it is known to the control plane. */
  enrolled(): Enrolled | undefined
}

export function createBackupSource({ controlUrl, enrolled }: BackupSourceOptions): BackupSource {
  const grants = new Map<string, CallData<typeof agentBackupGrant>>()

  /** Throws 503 consoleAway when nobody answers, 404 backupGone for what is not there. */
  async function ask<C extends Call>(call: C, body: object): Promise<CallData<C>> {
    const who = enrolled()
    if (!who) throw consoleAway()
    const proof = { instanceId: who.instanceId, agentToken: who.token }
    const answer = await fetch(controlUrl() + call.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...proof, ...body }),
      redirect: 'error', // a redirect would carry the token to another host
      signal: AbortSignal.timeout(timeLimitMs),
    }).then(
      async (response) => Answer.safeParse(await response.json().catch(() => undefined)).data,
      () => undefined, // not reached
    )
    // To a control plane of before, the list itself is nothing that it knows.
    if (answer?.code === codes.notFound && 'backupId' in body)
      throw new HttpProblem(404, 'backupGone', 'This backup is not kept any more.')
    const data = answer?.code === codes.ok ? readOpen(call.data, answer.data).data : undefined
    if (data === undefined) throw consoleAway()
    return data as CallData<C> // parsed by the call's own schema
  }

  return {
    list: async () => (await ask(agentBackups, {})).backups,
    async grant(backupId) {
      const kept = grants.get(backupId)
      // Its end is the control plane's time; a clock that is wrong here costs a refusal, after which `drop` helps.
      if (kept && kept.until - Date.now() > leastLeftMs) return { repository: kept.repository, isFresh: false }
      const granted = await ask(agentBackupGrant, { backupId })
      grants.set(backupId, granted)
      return { repository: granted.repository, isFresh: true }
    },
    drop: (backupId) => void grants.delete(backupId),
  }
}

function consoleAway(): HttpProblem {
  return new HttpProblem(503, 'consoleAway', 'The console, which knows the backups, is not reached.')
}
