/**
 * Calls about backups that programs on personal servers make (design/wire). Their reports prove nothing. Existing
 * programs do not change, so unknown fields are ignored, and missing or empty ones have a default wherever possible.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Did, WireInt } from '../wire/fields.ts'
import type { BackupsFieldReason } from './field-reasons.ts'

/** Chosen by the program. Ours begin with `bk_`, so no two are taken for each other. */
export const ClientBackupId = z.string().regex(/^(?!bk_)[\w.-]{1,100}$/, 'clientBackupId' satisfies BackupsFieldReason)
/** `schema`, or `fallback` where the field is missing or empty. */
const orElse = <Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) =>
  z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    schema.default(() => fallback as never),
  )
const Size = orElse(WireInt.pipe(z.int().min(0)), 0)
/** Seconds or milliseconds since the epoch: programs write either. Undefined: when it arrived. */
const ClientTime = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  WireInt.pipe(z.int().min(0).max(32_503_680_000_000)).optional(),
)
/** Text that programs add: cut to `most` characters. */
const note = (most: number) =>
  orElse(
    z
      .string()
      .max(65_536)
      .transform((text) => text.slice(0, most).toWellFormed()),
    '',
  )
const grantDuration = 'grantDuration' satisfies BackupsFieldReason
/** AWS's own limits: 15 min to 12 h. */
const durationSeconds = WireInt.pipe(z.int().min(900, grantDuration).max(43_200, grantDuration)).default(43_200)

/** After its end a grant can be renewed with itself alone for so long, ms. */
export const grantRenewableMs = 24 * 3600_000

export const backupSave = defineCall({
  name: 'backupSave',
  path: '/v1/resource/backup/save',
  reach: 'self',
  rate: 'change',
  topics: ['backup'],
  summary: 'A personal server reports a backup that it makes on its own; the same id again changes it.',
  body: z.object({
    backupId: ClientBackupId,
    /** Empty: its id. */
    name: note(200).transform((text) => text.trim()),
    /** 1 files, 2 an app. */
    backupType: orElse(WireInt.pipe(z.int().min(1).max(2)), 1),
    backupTime: ClientTime,
    backupPath: note(4096),
    backupLocation: orElse(z.enum(['space', 'awss3', 'tencentcloud', 'filesystem']), 'space'),
  }),
})

export const backupStop = defineCall({
  name: 'backupStop',
  path: '/v1/resource/backup/stop',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'A personal server no longer makes this backup; what it told of it stays.',
  body: z.object({ backupId: ClientBackupId }),
})

/** Without a token: believed only of a backup that this account saved with one. */
export const snapshotSave = defineCall({
  name: 'snapshotSave',
  path: '/v1/resource/snapshot/save',
  reach: 'anyone',
  rate: 'signIn',
  namesAccount: true,
  summary: 'A personal server tells how a run of its own backup stands; the same snapshotId again changes it.',
  body: z.object({
    userid: Did,
    backupId: ClientBackupId,
    snapshotId: z.string().min(1).max(100),
    resticSnapshotId: orElse(z.string().max(64), ''),
    size: Size,
    realSnapshotSize: Size,
    unit: orElse(z.literal('byte'), 'byte'),
    snapshotTime: ClientTime,
    status: z.string().min(1).max(40),
    /** Programs leave it empty until they know. */
    type: orElse(z.enum(['fully', 'incremental']), 'incremental'),
    url: note(2048),
    cloud: note(40),
    region: note(40),
    bucket: note(100),
    prefix: note(1024),
    message: note(1000),
  }),
})

export const backupRegion = defineCall({
  name: 'backupRegion',
  path: '/v1/resource/backup/region',
  reach: 'self',
  reads: true,
  topics: ['backup'],
  summary: 'Where personal servers may store their backups themselves; empty: nowhere.',
  data: z.array(z.object({ regionId: z.string(), regionName: z.string(), cloudName: z.string() })),
})

/** Short-lived credentials for one prefix of a bucket. */
export const StoreGrant = z.object({
  cloud: z.string(),
  bucket: z.string(),
  /** Ends in `-suffix`; repositories are at `PREFIX/restic/NAME`. */
  prefix: z.string(),
  ak: z.string(),
  sk: z.string(),
  st: z.string(),
  region: z.string(),
  /** ms since the epoch, as text. */
  expiration: z.string(),
  /** For restic, to be followed by `/NAME`. */
  restic_repo: z.string(),
})
export type StoreGrant = z.infer<typeof StoreGrant>

export const stsTokenBackup = defineCall({
  name: 'stsTokenBackup',
  path: '/v1/resource/stsToken/backup',
  reach: 'self',
  rate: 'machine',
  topics: ['backup'],
  summary: 'Credentials with which a personal server stores its backups itself, for a prefix of its own.',
  body: z.strictObject({
    cloudName: z.string().min(1).max(40),
    region: z.string().min(1).max(40),
    /** Base64. Forms that do not escape it turn + into a space. */
    clusterId: z.string().regex(/^[\w+/ -]{1,200}={0,2}$/, 'encodedId' satisfies BackupsFieldReason),
    durationSeconds,
  }),
  data: StoreGrant,
})

/** A text of a grant, as programs send it: in forms that do not escape it + has become a space. */
const granted = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .transform((text) => text.replaceAll(' ', '+'))

export const stsTokenBackupRefresh = defineCall({
  name: 'stsTokenBackupRefresh',
  path: '/v1/resource/stsToken/backup/refresh',
  reach: 'anyone',
  rate: 'signIn',
  summary: 'New credentials for those that ended less than 24 h ago, which are all that is asked for.',
  body: z.object({ ak: granted(200), sk: granted(200), st: granted(8192), durationSeconds }),
  data: StoreGrant,
})
