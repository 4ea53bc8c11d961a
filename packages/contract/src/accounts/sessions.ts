/** `/v2/user`: where an account is signed in. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime, SessionId } from '../wire/fields.ts'

export const deviceKinds = ['computer', 'phone', 'tablet', 'program'] as const

/**
 * The browser's name, system and kind, read from its user agent; null where the agent does not say. Never the raw user
 * agent.
 */
export const Device = z.object({
  kind: z.enum(deviceKinds),
  /** `Chrome`, `Safari` … */
  browser: z.string().nullable(),
  /** `Windows`, `Android` … */
  system: z.string().nullable(),
})
export type Device = z.infer<typeof Device>

/**
 * Where an address is, as far as an address says: on the machine of the server, in the network the question comes
 * from, in a private network, or in a network named by its prefix. Nothing is looked up elsewhere.
 */
export const Place = z.object({
  kind: z.enum(['thisMachine', 'thisNetwork', 'privateNetwork', 'network', 'unknown']),
  /** `203.0.113.0/24`, `2001:db8:1::/48`; null where it says nothing more. */
  network: z.string().nullable(),
})
export type Place = z.infer<typeof Place>

export const Session = z.object({
  id: SessionId,
  /** The one this question came with. */
  current: z.boolean(),
  device: Device,
  place: Place,
  /** Address it was last seen at; null when unknown. */
  ip: z.string().nullable(),
  createdAt: IsoTime,
  /** To the minute. */
  lastSeenAt: IsoTime,
  expiresAt: IsoTime,
})
export type Session = z.infer<typeof Session>

export const sessionList = defineCall({
  name: 'sessionList',
  path: '/v2/user/sessions',
  reach: 'self',
  reads: true,
  topics: ['session'],
  summary: 'Where this account is signed in, the session that asks first, then by when they were last seen.',
  data: z.array(Session),
})

/** Actions that the audit log records about sign-ins. */
export const sessionAuditActions = ['session.signIn', 'session.signOut', 'session.revoke'] as const

export const sessionRevoke = defineCall({
  name: 'sessionRevoke',
  path: '/v2/user/session/revoke',
  reach: 'private',
  rate: 'change',
  topics: ['session'],
  summary: 'Ends one session of this account at once, wherever it is open.',
  body: z.strictObject({ id: SessionId }),
})

export const sessionRevokeAll = defineCall({
  name: 'sessionRevokeAll',
  path: '/v2/user/session/revokeAll',
  reach: 'self',
  rate: 'change',
  topics: ['session'],
  summary: 'Ends every session of this account but the one that asks.',
  data: z.object({ revoked: z.int() }),
})
