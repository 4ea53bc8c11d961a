import { activeLogin, agentEnroll, declineCode, login, openCode, readCode } from '@atoll/contract'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

/** What can be called without being signed in and costs a signature check or a row. */
const limitedPaths = new Set<string>([
  ...[login, activeLogin, openCode, readCode, declineCode, agentEnroll].map((call) => call.path),
  '/create_local',
  '/bind_name',
  // Files of many MB.
  '/agent/:name',
])

/**
 * Limits how often one address may try to sign in, register or enrol: `perMinute` for each path. Counted in this
 * process: it protects the process, and n copies allow n times as much; what guards accounts is in the database.
 */
export async function limitSignIns(app: FastifyInstance, perMinute: number): Promise<void> {
  // Before the plugin's own hook, which reads what this one sets.
  app.addHook('onRoute', (route) => {
    if (limitedPaths.has(route.url))
      route.config = { ...route.config, rateLimit: { max: perMinute, timeWindow: 60_000 } }
  })
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_, { ttl }) => new Refusal('tooManyRequests', { seconds: Math.ceil(ttl / 1000) }),
  })
}
