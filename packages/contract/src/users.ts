/** `/v2/user`: signing in, the session, who I am (wire, "Login by QR"; design/api). */
import { z } from 'zod'
import { defineCall } from './call.ts'
import { Did, DidOrKeyId, Millis } from './fields.ts'

/** The account as clients see it (spec §3). */
export const User = z.object({
  userid: Did,
  /** `name@domain`; null while no ID is bound. */
  terminusName: z.string().nullable(),
  avatar: z.string().nullable(),
  email: z.string().nullable(),
  canCreateCluster: z.boolean(),
  vCpuQuota: z.int(),
  planLevel: z.int(),
  planLevelStr: z.string(),
  accessLimit: z.boolean(),
})
export type User = z.infer<typeof User>

/** An account with its session, given exactly once per approved code. `expired` in ms. */
export const SignedIn = User.extend({ token: z.string(), expired: Millis })
export type SignedIn = z.infer<typeof SignedIn>

/** What the wallet signs of a code; extra fields are ignored, unsigned copies too. */
const SignedCode = z.looseObject({
  did: DidOrKeyId.optional(),
  secret: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex characters'),
  time: Millis,
  iss: z.string(),
  nbf: z.number().optional(),
  exp: z.number(),
})

/**
 * A signed sign-in code. LarePass signs no `event`; a code that was signed for something else says so, and its
 * signature must not open an account.
 */
export const LoginPayload = SignedCode.extend({ event: z.literal('login_cloud').optional() })
/** A signed activation code; it always says what it is for. */
export const ActivationPayload = SignedCode.extend({ event: z.literal('activate_os') })

/** Both body shapes: `{id, jws, did, ...sign_body}` and `{id, jws, did, body}`. Only `jws` and `did` are read. */
export const login = defineCall({
  name: 'login',
  path: '/v2/user/login',
  auth: 'none',
  summary: 'The wallet delivers the signed sign-in code.',
  body: z.looseObject({
    /** Text when a code was scanned, a number when a device links itself; not read. */
    id: z.unknown().optional(),
    jws: z.string().min(1).max(8192),
    did: z.string().min(1).max(256),
  }),
  data: z.object({}),
})

export const activeLogin = defineCall({
  name: 'activeLogin',
  path: '/v2/user/activeLogin',
  auth: 'none',
  summary: 'The console asks whether its code was approved; empty data until then, the session exactly once.',
  body: z.strictObject({ secret: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex characters') }),
  data: z.union([SignedIn, z.strictObject({})]),
})

export const userInfo = defineCall({
  name: 'userInfo',
  path: '/v2/user/info',
  auth: 'account',
  summary: 'The account that is signed in.',
  body: z.strictObject({}),
  data: User,
})

export const logout = defineCall({
  name: 'logout',
  path: '/v2/user/logout',
  auth: 'account',
  summary: 'Ends this session.',
  body: z.strictObject({}),
  data: z.object({}),
})
