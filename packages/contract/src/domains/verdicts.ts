/** Findings of a DNS check: a verdict for each server and record that was asked (design/domains, "Looking at DNS"). */
import { z } from 'zod'

export const verdictKinds = [
  'match',
  'missing',
  'wrongValue',
  'nameDoubled',
  /** The value stands at another name, `found`. */
  'wrongPlace',
  'noUnderscore',
  'quoted',
  'stillCached',
  'serversDisagree',
  'otherServers',
  'dsLeft',
  'dnssecBroken',
  'proxied',
  /** Addresses that the owner wrote stand where the CNAME or the name servers should. */
  'ownAddress',
  'caaForbids',
  'lame',
  'refused',
  'noAnswer',
] as const
export type VerdictKind = (typeof verdictKinds)[number]

export const DomainVerdict = z.object({
  kind: z.enum(verdictKinds),
  /**
   * The server that was asked: one of the parent's zone, or a resolver by its name; empty if it is about all of them.
   */
  server: z.string().max(300),
  /**
   * The parent's own server; a resolver, whose answer delays no step; or one of our servers, while it loads the zone.
   */
  side: z.enum(['parent', 'resolver', 'ours']),
  /** Of the record that was asked for. */
  name: z.string().max(300),
  type: z.string().max(10),
  /** Of the parent's own server: the zone that the record is written in; left out where nobody knows it. */
  zone: z.string().max(300).optional(),
  /** Its answer. */
  found: z.array(z.string().max(600)).max(20).optional(),
  /** Seconds until a cached answer is forgotten. */
  clearsIn: z.int().nonnegative().optional(),
  /**
   * For one of our servers that has the zone: seconds from writing the zone to the server's first answer that was seen.
   */
  after: z.int().nonnegative().optional(),
  /** `serversDisagree`: how many of the parent's servers that answer have it. */
  agree: z.object({ have: z.int().nonnegative(), of: z.int().nonnegative() }).optional(),
  /** `dnssecBroken`: why, as RFC 8914 numbers it. */
  extendedError: z.int().nonnegative().optional(),
  /** The value is wrong by a letter or two. */
  nearly: z.boolean().optional(),
})
export type DomainVerdict = z.infer<typeof DomainVerdict>
