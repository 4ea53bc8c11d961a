/**
 * Endpoints that are no calls: where each is, who may use it, and how often. An endpoint that is mounted on an
 * application without them is refused at the start (limit-requests.ts).
 */
import { type Rate, rates } from '@atoll/contract/wire'
import type { FastifyRequest } from 'fastify'
import '@fastify/websocket'

declare module 'fastify' {
  interface FastifyContextConfig {
    rate?: Rate
    access?: Access
    /** A call of the contract: it answers 429 in the envelope alone. */
    isCall?: true
    /** Whose account's rate counts, where the request itself shows it before anything is looked up. */
    accountOf?: (request: FastifyRequest) => string
    /** The handler counts, by `countRequest`: only some of what arrives counts. */
    isCountedByHandler?: true
  }
}

/** An endpoint that changes something must name its rate; one that only reads has a default. */
type Paced = { method: 'GET'; rate?: Rate } | { method: 'POST'; rate: Rate }

/** It asks for an account's session, as calls do, or it says why it needs none. */
export type Access = { reach: 'account'; openBecause?: never } | { reach?: never; openBecause: string }

type Endpoint<Method extends 'GET' | 'POST'> = Paced &
  Access & {
    method: Method
    /** As Fastify writes it. */
    url: string
    bodyLimit?: number
    isCountedByHandler?: true
  }

/** The part of a route of Fastify's that says what it is: `app.route({ ...defineEndpoint({ … }), handler })`. */
export function defineEndpoint<const Method extends 'GET' | 'POST'>(endpoint: Endpoint<Method>) {
  const { method, url, rate = rates.read, bodyLimit, isCountedByHandler } = endpoint
  const access: Access = endpoint.reach ? { reach: endpoint.reach } : { openBecause: endpoint.openBecause }
  return {
    method,
    url,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: { rate, access, ...(isCountedByHandler && { isCountedByHandler }) },
  }
}
