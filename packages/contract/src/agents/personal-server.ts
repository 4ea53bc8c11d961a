/**
 * The HTTP API of the personal server that an agent serves, as its web pages (`apps/agent/web`) use it. Same origin
 * only, but for `approve`. Imported as `@atoll/contract/personal-server`: it is another server's API than the rest.
 *
 * Answers are JSON, and read with `readOpen`: a page may be older than its server, from which it was loaded before an
 * update. A refusal is an HTTP status and `{code, message}`: `code` is one of `problemCodes` and is what a
 * page translates; `message` is an English sentence for a person with a terminal. Bodies are JSON of at most 64 KiB,
 * but for an upload. Requests that change something must come from this origin (`Origin` or `Sec-Fetch-Site` is
 * checked).
 *
 * No session needed
 *   GET    /api/status                        → `Status`
 *   GET    /api/health                        → `Health`
 *          All others are refused with 503 and one of `machineRefusals` while this machine may serve nobody.
 *   POST   /api/activation/begin   {password} → `ActivationBegun`. `password` is the one-time password; spaces,
 *          hyphens and
 *          case do not matter. 403 wrongPassword · 429 tooManyTries (`retryAfterSeconds`) · 409 alreadyActive,
 *          notReady. The QR shows `signRequest`; it is good until `expiresAt`, then the page begins again (it still has
 *          the password).
 *   GET    /api/activation/state?ticket=…     → `ActivationState`. 404 ticketUnknown: expired, or the agent restarted:
 *          begin again.
 *          Long poll: with `&wait=1` it answers when approved, or `{approved:false}` after at most 20 s.
 *   POST   /api/activation/approve            CORS `*`; what the wallet posts to (`callback_url`):
 *          `{id, jws, did, …}`; answers the product envelope `{code, message, data:{}}`, HTTP 200, as /v2/user/login
 *          does.
 *   POST   /api/activation/finish  {ticket, newPassword} → `SessionState`, and signs this browser in. newPassword: 8
 *          to 256
 *          characters. 409 notApproved · 404 ticketUnknown · 400 badParameter
 *   POST   /api/session            {name, password} → `SessionState` with a cookie. `name`: the ID (`reef@atoll.test`)
 *          or the
 *          part before the @. 403 wrongPassword · 429 tooManyTries · 409 notActive
 *   GET    /api/session                       → `SessionState` (`name: null` when signed out; never an error)
 *   DELETE /api/session                       → 204
 *
 * With a session (else 401 signedOut). Paths are absolute, `/` between names: `/Photos/2026/reef.jpg`; `/` is the
 * drive.
 *   GET    /api/drive/list?path=/&offset=0&by=name&descending=0
 *                                             → `DriveListing`, folders first, then by one of `driveOrders`, then by
 *                                             name
 *   GET    /api/drive/search?path=/&query=…&offset=0
 *                                             → `DriveSearch`: what below the folder has every word of `query` (1 to
 *          256 characters) in its name, nearest folders first; ends early at limits of entries and time. 404 · 409
 *          notAFolder
 *   PUT    /api/drive/file?path=…             raw body; makes or replaces the file, all or nothing → 201 or 200
 *          `DriveEntry`, with ETag and Last-Modified. `If-None-Match: *` refuses to replace (412 exists); `If-Match`
 *          and `If-Unmodified-Since` refuse to replace another content (412 changed). `X-OC-Mtime: <seconds>` is kept
 *          as the time of the last change. No `Content-Range` (400). The folder must exist (404). 507 diskFull
 *          · 507 storageLimit (a new file while the owner's plan has no room) · 409 notAFile
 *   POST, HEAD, PATCH, DELETE /api/drive/uploads
 *          an upload that goes on where it was cut: tus 1.0 with creation, termination and expiration. The `path`
 *          stands in `Upload-Metadata`; conditions and `X-OC-Mtime` stand at the POST and hold at the end too. It
 *          ends a day after its last byte, or when another to its path begins while nobody sends it, and its room is
 *          taken from the beginning. 409 changed: at another offset
 *   GET    /api/drive/file?path=…             the bytes, as an attachment; Range, If-Range by ETag, and all conditions
 *          of RFC 9110 by ETag and Last-Modified; HEAD too.
 *          `&inline=1` lets the browser show images, audio, video, PDF and plain text itself.
 *   POST   /api/drive/folder {path}           → 201 `DriveEntry`. 409 exists
 *   POST   /api/drive/move {from, to}         → `DriveEntry`; files and folders; never replaces. Conditions are on what
 *          is at `from`. 404 · 409 exists, intoItself · 412
 *   DELETE /api/drive/entry?path=…            file, or folder with all in it → 204, under the same conditions. 404
 *                                             notFound
 *          · 412
 *   GET    /api/sessions                      → `Sessions`: signed-in browsers and the last tries to sign in, newest
 *                                             first
 *   DELETE /api/sessions?id=…                 ends that session; without `id`, all but the one that asks → 204, also
 *          where there is none of this id any more
 *   GET    /api/app-passwords                 → `AppPasswords`: those of devices that use WebDAV, newest first
 *   POST   /api/app-passwords {name, ownPassword}
 *          `ownPassword`: the owner's → 201 `AppPasswordMade`. 403 wrongPassword · 429 tooManyTries · 409 tooMany
 *   DELETE /api/app-passwords?id=…            → 204, also where there is none of this id any more
 *   GET    /api/observe                       → `Observed`: the newest measurement and how long the agent is up
 *
 * A change of what a program over WebDAV has locked is refused: 423 locked.
 *
 * `/dav` is the drive over WebDAV (RFC 4918, class 1 and 2), with the owner's name and an app password (Basic).
 *
 * Single files of the backups of this server: `personal-server-backups.ts`.
 */
import { z } from 'zod'
import { Device } from '../accounts/sessions.ts'
import { InstallStep } from '../clusters/install-log.ts'
import { AgentMetrics, InstallState } from './agent.ts'
import { machineRefusals } from './machine-refusals.ts'

export { machineRefusals }

export const problemCodes = [
  ...machineRefusals,
  'badParameter',
  'badName',
  'signedOut',
  'wrongPassword',
  'tooManyTries',
  'forbidden',
  'alreadyActive',
  'notActive',
  'notReady',
  'draining',
  'notApproved',
  'ticketUnknown',
  'notFound',
  'exists',
  'changed',
  'intoItself',
  'notAFile',
  'notAFolder',
  'diskFull',
  'storageLimit',
  'tooLarge',
  'tooSlow',
  'consoleAway',
  'vaultAway',
  'noRestic',
  'backupLocked',
  'backupGone',
  'backupDamaged',
  'backupFailed',
  'busy',
  'locked',
  'tooMany',
  'serverError',
] as const
export type ProblemCode = (typeof problemCodes)[number]
export const Problem = z.object({
  code: z.enum(problemCodes),
  message: z.string(),
  /** With tooManyTries. */
  retryAfterSeconds: z.number().optional(),
})
export type Problem = z.infer<typeof Problem>

/** New passwords; the upper bound keeps scrypt's input small. Characters. */
export const passwordLength = { min: 8, max: 256 } as const

export const Status = z.object({
  active: z.boolean(),
  /** Active, and its owner asked for a new password: the wizard at `/activate` takes the one-time password. */
  resetting: z.boolean(),
  product: z.string(),
  clusterName: z.string().nullable(),
  /** `reef@atoll.test`; null until the control plane said it. */
  terminusName: z.string().nullable(),
  install: InstallState.pick({ state: true, reason: true }).extend({
    steps: z.array(InstallStep.pick({ step: true, state: true })),
  }),
  /** The installed version, as the catalogue numbers it; null before the first install. */
  version: z.string().nullable(),
  /** The deployment's web wallet, for `walletLink`; null: only the QR is shown. */
  walletUrl: z.string().nullable(),
  /** The page of this cluster in the console; null: not known. */
  consoleUrl: z.string().nullable(),
  /** The server's clock, ms; for the time that a code has left. */
  now: z.number(),
})
export type Status = z.infer<typeof Status>
/** Says which run of the agent answers. */
export interface Health {
  bootId: string
}

export const ActivationBegin = z.strictObject({ password: z.string().min(1).max(128) })
export const ActivationBegun = z.object({
  ticket: z.string(),
  /** `space://…`, the text of the QR. */
  signRequest: z.string(),
  /** 32 hex; the wallet signs it. */
  secret: z.string(),
  /** ms */
  expiresAt: z.number(),
})
export type ActivationBegun = z.infer<typeof ActivationBegun>
export const ActivationState = z.object({ approved: z.boolean() })
export const ActivationFinish = z.strictObject({
  ticket: z.string().min(20).max(128),
  newPassword: z.string().min(passwordLength.min).max(passwordLength.max),
})

export const SessionOpen = z.strictObject({ name: z.string().min(1).max(260), password: z.string().min(1).max(256) })
export const SessionState = z.object({
  /** The ID signed in as, or null. */
  name: z.string().nullable(),
  /** Its DID, or null. */
  did: z.string().nullable(),
  /** ms; null when signed out. */
  expiresAt: z.number().nullable(),
})
export type SessionState = z.infer<typeof SessionState>

/** Where somebody signed in, or tried to. */
const SignInPlace = z.object({
  device: Device,
  /** An address of IPv4, a network of IPv6 such as `2001:db8:1:2::/64`; null: not known. */
  network: z.string().nullable(),
})
export type SignInPlace = z.infer<typeof SignInPlace>
const OpenSession = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  /** Null, as `openedAt`, of a session that an older agent opened. */
  place: SignInPlace.nullable(),
  /** ms */
  openedAt: z.number().nullable(),
})
export type OpenSession = z.infer<typeof OpenSession>
const SignIn = z.object({
  outcome: z.enum(['signedIn', 'wrongPassword']),
  place: SignInPlace,
  /** Of the last one, ms. */
  at: z.number(),
  /** Tries with a wrong name or password from one network follow each other as one entry. */
  count: z.number(),
  /** The app password that opened the drive, by its name; absent: the owner's own. */
  appPassword: z.string().optional(),
})
export type SignIn = z.infer<typeof SignIn>
export const Sessions = z.object({
  open: z.array(OpenSession),
  /** At most 100 of each outcome. */
  history: z.array(SignIn),
})
export type Sessions = z.infer<typeof Sessions>

const AppPassword = z.object({
  id: z.string(),
  name: z.string(),
  /** ms */
  createdAt: z.number(),
  /** ms, at most some minutes old while it is in use; null: never. */
  lastUsedAt: z.number().nullable(),
  /** Where it was used last. */
  network: z.string().nullable(),
})
export type AppPassword = z.infer<typeof AppPassword>
export const AppPasswords = z.object({ passwords: z.array(AppPassword) })
export type AppPasswords = z.infer<typeof AppPasswords>
export const AppPasswordCreate = z.strictObject({
  name: z.string().trim().min(1).max(60),
  ownPassword: SessionOpen.shape.password,
})
/** `password` is shown this once. */
export const AppPasswordMade = AppPassword.extend({ password: z.string() })
export type AppPasswordMade = z.infer<typeof AppPasswordMade>

export const DriveEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder']),
  /** Bytes; 0 for a folder. */
  size: z.number(),
  /** ISO 8601 */
  modifiedAt: z.string(),
})
export type DriveEntry = z.infer<typeof DriveEntry>
export const driveOrders = ['name', 'size', 'modified'] as const
/** Folders always stand before files. */
export interface DriveOrder {
  by: (typeof driveOrders)[number]
  descending: boolean
}
export const DriveListing = z.object({
  path: z.string(),
  /** At most 5000, from `offset` on; the last page where that is beyond the end. */
  entries: z.array(DriveEntry),
  offset: z.number(),
  /** All entries of the folder. */
  total: z.number(),
  /** Bytes in the whole drive, and bytes that an upload may still take. */
  usedBytes: z.number(),
  freeBytes: z.number(),
})
export type DriveListing = z.infer<typeof DriveListing>
/** `path`: where it lies, its name included. */
const DriveFound = DriveEntry.extend({ path: z.string() })
export type DriveFound = z.infer<typeof DriveFound>
export const DriveSearch = z.object({
  /** The folder that was searched. */
  path: z.string(),
  /** At most 500, from `offset` on. */
  entries: z.array(DriveFound),
  offset: z.number(),
  /** More is found from `offset` + 500 on. */
  more: z.boolean(),
  /** True when the search ended at a limit of entries or time: there may be others. */
  truncated: z.boolean(),
})
export type DriveSearch = z.infer<typeof DriveSearch>
export const FolderCreate = z.strictObject({ path: z.string().min(1).max(4096) })
export const EntryMove = z.strictObject({ from: z.string().min(1).max(4096), to: z.string().min(1).max(4096) })

export const Observed = z.object({
  metrics: AgentMetrics,
  /** ms since the agent started */
  upMs: z.number(),
  /** Whether the control plane is reached now. */
  connected: z.boolean(),
})
export type Observed = z.infer<typeof Observed>
