/**
 * The HTTP API of the personal server that an agent serves, as its web pages (`apps/agent/web`) use it. Same origin
 * only, but for `approve`. Imported as `@atoll/contract/personal-server`: it is another server's API than the rest.
 *
 * Answers are JSON. A refusal is an HTTP status and `{code, message}`: `code` is one of `problemCodes` and is what a
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
 *   GET    /api/observe                       → `Observed`: the newest measurement and how long the agent is up
 *
 * Single files of the backups of this server. `path` is a path in the snapshot, `/` is all of it. 503 consoleAway (who
 * knows the backups is not reached), vaultAway (where they are kept is not), noRestic, busy · 409 backupLocked (the
 * password is not kept here) · 404 backupGone · 500 backupDamaged, backupFailed
 *   GET    /api/backups                       → `BackupsKept`
 *   GET    /api/backups/list?backup=…&snapshot=…&path=/&offset=0&filter=…
 *                                             → `SnapshotListing`, folders first, then by name
 *   GET    /api/backups/file?backup=…&snapshot=…&path=…
 *          the bytes of a file, as an attachment, or of a folder as a ZIP archive; cut off when it cannot be read to
 *          its end. 409 notAFile
 *   POST   /api/backups/put-back              `PutBackOrder` → 202 `PutBack`, which goes on in the background.
 *          507 storageLimit
 *   GET    /api/backups/put-back?id=…         → `PutBack`
 *   POST   /api/backups/password {backupId, password}
 *          keeps the password of a backup here → 204. 403 wrongPassword
 */
import { z } from 'zod'
import type { Device } from '../accounts/sessions.ts'
import { BackupId } from '../backups/ids.ts'
import type { InstallStep } from '../clusters/install-log.ts'
import type { AgentMetrics, InstallState } from './agent.ts'
import type { KeptBackups } from './agent-backups.ts'
import { ResticSnapshotId } from './backup-tasks.ts'
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
  'serverError',
] as const
export type ProblemCode = (typeof problemCodes)[number]
export interface Problem {
  code: ProblemCode
  message: string
  /** With tooManyTries. */
  retryAfterSeconds?: number
}

/** New passwords; the upper bound keeps scrypt's input small. Characters. */
export const passwordLength = { min: 8, max: 256 } as const

export interface Status {
  active: boolean
  /** Active, and its owner asked for a new password: the wizard at `/activate` takes the one-time password. */
  resetting: boolean
  product: string
  clusterName: string | null
  /** `reef@atoll.test`; null until the control plane said it. */
  terminusName: string | null
  install: Pick<InstallState, 'state' | 'reason'> & { steps: Pick<InstallStep, 'step' | 'state'>[] }
  /** The installed version, as the catalogue numbers it; null before the first install. */
  version: string | null
  /** The deployment's web wallet, for `walletLink`; null: only the QR is shown. */
  walletUrl: string | null
  /** The server's clock, ms; for the time that a code has left. */
  now: number
}
/** Says which run of the agent answers. */
export interface Health {
  bootId: string
}

export const ActivationBegin = z.strictObject({ password: z.string().min(1).max(128) })
export interface ActivationBegun {
  ticket: string
  /** `space://…`, the text of the QR. */
  signRequest: string
  /** 32 hex; the wallet signs it. */
  secret: string
  /** ms */
  expiresAt: number
}
export interface ActivationState {
  approved: boolean
}
export const ActivationFinish = z.strictObject({
  ticket: z.string().min(20).max(128),
  newPassword: z.string().min(passwordLength.min).max(passwordLength.max),
})

export const SessionOpen = z.strictObject({ name: z.string().min(1).max(260), password: z.string().min(1).max(256) })
export interface SessionState {
  /** The ID signed in as, or null. */
  name: string | null
  /** Its DID, or null. */
  did: string | null
  /** ms; null when signed out. */
  expiresAt: number | null
}

/** Where somebody signed in, or tried to. */
export interface SignInPlace {
  device: Device
  /** An address of IPv4, a network of IPv6 such as `2001:db8:1:2::/64`; null: not known. */
  network: string | null
}
export interface OpenSession {
  id: string
  /** The one that asks. */
  current: boolean
  /** Null, as `openedAt`, of a session that an older agent opened. */
  place: SignInPlace | null
  /** ms */
  openedAt: number | null
}
export interface SignIn {
  outcome: 'signedIn' | 'wrongPassword'
  place: SignInPlace
  /** Of the last one, ms. */
  at: number
  /** Tries with a wrong name or password from one network follow each other as one entry. */
  count: number
}
export interface Sessions {
  open: OpenSession[]
  /** At most 100 of each outcome. */
  history: SignIn[]
}

export interface DriveEntry {
  name: string
  kind: 'file' | 'folder'
  /** Bytes; 0 for a folder. */
  size: number
  /** ISO 8601 */
  modifiedAt: string
}
export const driveOrders = ['name', 'size', 'modified'] as const
/** Folders always stand before files. */
export interface DriveOrder {
  by: (typeof driveOrders)[number]
  descending: boolean
}
export interface DriveListing {
  path: string
  /** At most 5000, from `offset` on; the last page where that is beyond the end. */
  entries: DriveEntry[]
  offset: number
  /** All entries of the folder. */
  total: number
  /** Bytes in the whole drive, and bytes that an upload may still take. */
  usedBytes: number
  freeBytes: number
}
export interface DriveFound extends DriveEntry {
  /** Where it lies, its name included. */
  path: string
}
export interface DriveSearch {
  /** The folder that was searched. */
  path: string
  /** At most 500, from `offset` on. */
  entries: DriveFound[]
  offset: number
  /** More is found from `offset` + 500 on. */
  more: boolean
  /** True when the search ended at a limit of entries or time: there may be others. */
  truncated: boolean
}
export const FolderCreate = z.strictObject({ path: z.string().min(1).max(4096) })
export const EntryMove = z.strictObject({ from: z.string().min(1).max(4096), to: z.string().min(1).max(4096) })

export type KeptBackup = KeptBackups[number] & {
  /** Its password is not kept here: nothing of it can be read. */
  isLocked: boolean
  /** Files that the last run could not read, and those that the last restore could not restore; null: none. */
  unread: { run: UnreadFiles | null; restore: UnreadFiles | null }
}
export interface UnreadFiles {
  /** ISO. */
  at: string
  count: number
  /** Of the drive, as a person reads them; the first of them only. */
  paths: string[]
}
export interface BackupsKept {
  backups: KeptBackup[]
  hasRestic: boolean
  /** Of the key for which passwords are sealed for this machine, as the console shows it. */
  keyFingerprint: string
}
export const SnapshotRefShape = z.strictObject({ backupId: BackupId, snapshotId: ResticSnapshotId })
export interface SnapshotItem {
  /** Each byte that is no UTF-8 is a character from U+10FF80 on: it is asked for so, and shown as U+FFFD. */
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes; 0 for all but files. */
  size: number
  /** ISO 8601 */
  modifiedAt: string
}
export interface SnapshotListing {
  path: string
  /** At most 200, from `offset` on. */
  entries: SnapshotItem[]
  offset: number
  /** Entries that the filter leaves, and all of the folder. */
  found: number
  total: number
  /** The folder holds more than 150 000 entries, of which these are the first. */
  truncated: boolean
}
const OneName = z.string().min(1).max(255)
export const PutBackOrder = SnapshotRefShape.extend({
  path: z.string().min(2).max(4096),
  /** The name it gets beside what is in its place, unless that is replaced; where it is taken, too, with a number. */
  besideName: OneName,
  /** The name under which the file in its place is kept when it is replaced. */
  keptName: OneName,
  replace: z.boolean(),
})
export interface PutBack {
  id: string
  state: 'running' | 'done' | 'failed'
  /** Of `done`: where it lies, and where what it replaced lies now. */
  placed: { path: string; kept: string | null } | null
  /** Of `failed`. */
  problem: ProblemCode | null
}
export const BackupUnlock = z.strictObject({ backupId: BackupId, password: z.string().min(1).max(1024) })

export interface Observed {
  metrics: AgentMetrics
  /** ms since the agent started */
  upMs: number
  /** Whether the control plane is reached now. */
  connected: boolean
}
