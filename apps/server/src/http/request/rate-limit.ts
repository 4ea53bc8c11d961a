import { activeLogin, avatarSet, declineCode, login, openCode, readCode } from '@atoll/contract/accounts'
import { agentBackupGrant, agentBackups, agentEnroll } from '@atoll/contract/agents'
import { snapshotSave, stsTokenBackupRefresh } from '@atoll/contract/backups'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { Refusal, refuse } from '../../platform/refusal.ts'

/** What can be called without being signed in and costs a signature check or a row. */
const limitedPaths = new Set<string>([
  ...[login, activeLogin, openCode, readCode, declineCode, agentEnroll].map((call) => call.path),
  ...[snapshotSave, stsTokenBackupRefresh, agentBackups, agentBackupGrant].map((call) => call.path),
  '/create_local',
  '/bind_name',
  // Files of many MB.
  '/agent/:name',
])
/** Pictures a minute: each is decoded, which takes a processor for a second. Several accounts may share an address. */
const avatarsPerMinute = { account: 10, address: 30 }
const timeWindow = 60_000

/**
 * Limits how often one address may try to sign in, register or enroll: `perMinute` for each path; and how often one
 * account and one address may send a picture. Counted in this process: it protects the process, and n copies allow n
 * times as much; what guards accounts is in the database.
 */
export async function limitRequests(app: FastifyInstance, perMinute: number): Promise<void> {
  // Before the plugin's own hook, which reads what this one sets.
  app.addHook('onRoute', (route) => {
    if (limitedPaths.has(route.url)) route.config = { ...route.config, rateLimit: { max: perMinute, timeWindow } }
    // Counted after the route's own onRequest, so that nobody can use up another account's share.
    if (route.url === avatarSet.path) {
      const max = avatarsPerMinute.account
      route.config = { ...route.config, rateLimit: { max, timeWindow, keyGenerator: accountOf } }
      route.onRequest = [route.onRequest ?? [], limitAddress].flat()
    }
  })
  const limitAddress: onRequestAsyncHookHandler = async (request) => {
    const counted = await countByAddress(request)
    if (!counted.isAllowed && counted.isExceeded) refuse('tooManyRequests', { seconds: counted.ttlInSeconds })
  }
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_, { ttl }) => new Refusal('tooManyRequests', { seconds: Math.ceil(ttl / 1000) }),
  })
  const countByAddress = app.createRateLimit({ max: avatarsPerMinute.address, timeWindow })
}

function accountOf({ headers }: FastifyRequest): string {
  return String(headers['userid'])
}
