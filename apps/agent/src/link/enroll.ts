/** Trading the single-use token for a place in a cluster. Safe to repeat: the same hash is let in again. */
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentEnroll } from '@atoll/contract/agents'
import { backoffMs, codes } from '@atoll/contract/wire'
import { z } from 'zod'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import type { AgentConfig } from '../kernel/config.ts'
import { Fatal } from '../kernel/fatal.ts'
import type { Home } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { hashToken, type Identity, saveIdentity } from './identity.ts'

export type Enrolled = Identity & { instanceId: string; clusterId: string }

const Answer = z.object({ code: z.number(), message: z.string(), data: agentEnroll.data.optional().catch(undefined) })
const timeLimitMs = 10_000
const backoff = { firstMs: 200, longestMs: 5000 }

/** Whether this agent has enrolled, or was given what it takes. */
export async function canEnroll(identity: Identity, config: AgentConfig): Promise<boolean> {
  return isEnrolled(identity) || Boolean(config.enrollToken ?? (await readToken(config.enrollTokenFile)))
}

/**
 * Enrolls unless it has been done; retries until the control plane answers. Throws `Fatal` when it refuses (exit 4), or
 * when no token was given or the token is another instance's (exit 2).
 */
export async function enroll(
  identity: Identity,
  { config, home, log, signal }: { config: AgentConfig; home: Home; log: Log; signal: AbortSignal },
): Promise<Enrolled> {
  const enrolled = isEnrolled(identity) ? identity : await trade()
  if (config.expectedInstance !== undefined && config.expectedInstance !== enrolled.instanceId)
    throw new Fatal('config', `this home is of ${enrolled.instanceId}, not of ${config.expectedInstance}`)
  return enrolled

  async function trade(): Promise<Enrolled> {
    const enrollToken = config.enrollToken ?? (await readToken(config.enrollTokenFile))
    if (!enrollToken) throw new Fatal('config', 'ATOLL_AGENT_ENROLL_TOKEN: needed until this agent has enrolled')
    for (let failures = 1; ; failures += 1) {
      const place = await askOnce(enrollToken).catch((error: unknown) => {
        if (error instanceof Fatal || signal.aborted) throw error
        log.warn('link', `enrollment is not answered yet: ${describeError(error)}`)
      })
      if (place) {
        const result = { ...identity, ...place }
        await saveIdentity(home, result)
        // Spent; only now, since a crash before the identity is kept has to ask with it again.
        if (config.enrollTokenFile) await rm(config.enrollTokenFile, { force: true })
        log.info('link', `enrolled as ${place.instanceId} of ${place.clusterId}`)
        return result
      }
      await sleep(backoffMs(failures, backoff), undefined, { signal })
    }
  }

  async function askOnce(enrollToken: string) {
    const response = await fetch(config.controlUrl + agentEnroll.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enrollToken, tokenHash: hashToken(identity.token) }),
      redirect: 'error', // a redirect would carry the token to another host
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]),
    })
    const { data: answer } = Answer.safeParse(await response.json().catch(() => undefined))
    // The port of a worker or an edge answers in the envelope too: it knows no such call.
    if (!answer || answer.code === codes.notFound)
      throw new Error(`${config.controlUrl} is no Atoll API (status ${response.status})`)
    if (answer.code === codes.ok && answer.data) return answer.data
    if (answer.code === codes.forbidden) throw new Fatal('refused', `enrollment refused: ${answer.message}`)
    throw new Error(answer.message)
  }
}

async function readToken(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new Fatal('config', `ATOLL_AGENT_ENROLL_TOKEN_FILE cannot be read: ${describeError(error)}`)
  }
}

function isEnrolled(identity: Identity): identity is Enrolled {
  return identity.instanceId !== null && identity.clusterId !== null
}
