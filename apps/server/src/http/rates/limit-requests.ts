/**
 * Counts requests at the one place where all of them pass: per network before any part of them is read, per account as
 * soon as the caller is known. A caller over their rate gets 429, in the envelope of a call (HTTP 200), or as the HTTP
 * status of any other endpoint (wire, "Envelope").
 */
import { type Rate, rates } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf, visitorBits } from '../../platform/network-of.ts'
import { createRateCounter, type RateCounter, type ScarceUse, type Taken } from '../../platform/rates/index.ts'
import { refuse } from '../../platform/refusal.ts'
import type { HttpConfig } from '../settings.ts'

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
  }
}

interface Limits {
  counter: RateCounter
  config: RateConfig
  takeScarce: TakeScarce | undefined
}

export type RateConfig = Pick<HttpConfig, 'rateFactor' | 'signInRatePerMinute'>
/** As `takeScarce` of the platform: how long to wait, s. */
export type TakeScarce = (use: ScarceUse) => Promise<number>

/** The rate of the console's and the wallet's pages, and of addresses where nothing is mounted. */
const unmatched: Rate = rates.read

/** `takeScarce`: left out where no endpoint writes. */
export function limitRequests(app: FastifyInstance, config: RateConfig, takeScarce?: TakeScarce): void {
  app.decorate('limits', { counter: createRateCounter(), config, takeScarce })
  app.addHook('onRoute', (route) => {
    const rate = route.config?.rate ?? (isOfPages(route.url) ? unmatched : undefined)
    if (!rate) throw new Error(`${route.method} ${route.url} has no rate: define it with defineEndpoint`)
    if (!route.config?.access && !route.config?.isCall && !isOfPages(route.url))
      throw new Error(`${route.method} ${route.url} does not say who may use it: define it with defineEndpoint`)
    route.config = { ...route.config, rate }
    const hooks = [route.onRequest ?? []].flat()
    // The route that answers HEAD is made from the one for GET.
    if (!hooks.includes(countNetwork)) route.onRequest = [countNetwork, ...hooks]
    // Calls count it once their body is found right (calls.ts).
    if (rate.scarce && !route.config.isCall) route.preHandler = async (request) => await countScarce(request)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await countNetwork(request, reply)
  })
}

/** Files of the pages and preflights: mounted by plugins. */
function isOfPages(url: string): boolean {
  return url === '*' || url === '/*'
}

async function countNetwork(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { isCountedByHandler, accountOf } = request.routeOptions.config
  if (!isCountedByHandler) countRequest(request, reply)
  if (accountOf) countAccount(request, reply, accountOf(request))
}

/** Refuses where the sender's network used up the rate of what it asks. */
export function countRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { config } = request.server.limits
  const rate = request.routeOptions.config.rate ?? unmatched
  count(request, reply, 'network', {
    key: networkOf(request.ip, visitorBits),
    most: rate.isSignIn ? config.signInRatePerMinute : rate.network * config.rateFactor,
  })
}

/** Refuses where `account`, which asks, used up its rate of what it asks. */
export function countAccount(request: FastifyRequest, reply: FastifyReply, account: string): void {
  const { config } = request.server.limits
  const { rate = unmatched } = request.routeOptions.config
  count(request, reply, 'account', { key: account, most: rate.account * config.rateFactor })
}

/** Refuses where the account or the network used up what is scarce of what `request` is about to use. */
export async function countScarce(request: FastifyRequest, account?: string): Promise<void> {
  const pot = request.routeOptions.config.rate?.scarce
  if (!pot) return
  const network = networkOf(request.ip, visitorBits)
  const seconds = (await request.server.limits.takeScarce?.({ pot, account, network })) ?? 0
  if (seconds > 0) refuse('tooManyRequests', { seconds })
}

function count(
  request: FastifyRequest,
  reply: FastifyReply,
  whose: 'network' | 'account',
  { key, most }: { key: string; most: number },
): void {
  const { counter } = request.server.limits
  const endpoint = request.is404 ? 'nothing' : request.routeOptions.url
  const taken = counter.take(`${endpoint} ${whose} ${key}`, most)
  reply.headers(rateHeaders(whose, most, taken))
  if (!taken.isAllowed) refuse('tooManyRequests', { seconds: taken.waitSeconds })
}

/** As in the draft of the IETF, "RateLimit header fields for HTTP": what is left, and in how many seconds all of it. */
export function rateHeaders(whose: 'network' | 'account', most: number, { left, resetSeconds }: Taken) {
  return { ratelimit: `"${whose}";r=${left};t=${resetSeconds}`, 'ratelimit-policy': `"${whose}";q=${most};w=60` }
}
