/**
 * Challenges of certificates (RFC 8555, 8.4) for domains that are not delegated here: their owner points
 * `_acme-challenge` by CNAME to a zone of this deployment, one for each domain.
 */
import { createHash } from 'node:crypto'
import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { lower } from './read-reply.ts'

export interface Challenges {
  /** Where the owner of `domain` points `_acme-challenge`: the zone that answers for it. */
  zoneOf(domain: string): string
  /** Whether it is pointed there now; undefined: nobody answered. */
  isPointed(domain: string): Promise<boolean | undefined>
}

/** By the name alone: the owner's record outlives a claim, as a record of theirs may. */
export function challengeZoneOf(domain: string, zone: string): string {
  return `${createHash('sha256').update(domain).digest('hex').slice(0, 24)}.${zone}`
}

/** `zone`: delegated to our name servers by the operator. */
export function createChallenges(ask: Ask, resolvers: readonly Resolver[], zone: string): Challenges {
  const zoneOf = (domain: string) => challengeZoneOf(domain, zone)
  return {
    zoneOf,
    async isPointed(domain) {
      const name = `_acme-challenge.${domain}`
      const reply = await resolve(ask, resolvers, { name, type: 'CNAME' })
      if (!reply) return undefined
      const [found] = (reply.answers ?? []).filter((record) => record.type === 'CNAME' && lower(record.name) === name)
      return found?.type === 'CNAME' && lower(found.data) === zoneOf(domain)
    },
  }
}
