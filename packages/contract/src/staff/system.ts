/** `/v1/operator/system`: how the deployment itself fares, and what may be done about it. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'
import { ActReason } from './approvals.ts'
import { byOperator, byStaff, readByStaff } from './who-calls.ts'

export const processStates = ['ready', 'careful', 'waits', 'silent'] as const
export type ProcessState = (typeof processStates)[number]
/** The page’s groups of jobs, by the subject. */
export const jobAreas = ['clusters', 'billing', 'backups', 'mail', 'domains', 'other'] as const
export type JobArea = (typeof jobAreas)[number]

export const JobId = z.string().regex(/^\d{1,18}$/)
export const MailId = z.string().regex(/^ml_\w{8,64}$/)

const Bytes = z.number().nonnegative()
const Seconds = z.number().nonnegative()

/** One role of one process. */
export const ProcessRow = z.object({
  key: z.string(),
  role: z.string(),
  host: z.string().nullable(),
  version: z.string().nullable(),
  startedAt: IsoTime.nullable(),
  beatAt: IsoTime,
  /** Of the disk with what it keeps. */
  diskTotal: Bytes.nullable(),
  diskFree: Bytes.nullable(),
  state: z.enum(processStates),
})
export type ProcessRow = z.infer<typeof ProcessRow>

export const FailedJobRow = z.object({
  jobId: JobId,
  name: z.string(),
  area: z.enum(jobAreas),
  attempts: z.int(),
  problem: z.string().nullable(),
  at: IsoTime,
})
export type FailedJobRow = z.infer<typeof FailedJobRow>

export const UndeliveredMail = z.object({
  mailId: MailId,
  kind: z.string(),
  recipient: z.string(),
  state: z.string(),
  problem: z.string().nullable(),
  at: IsoTime,
  /** Its text is still kept. */
  canResend: z.boolean(),
})
export type UndeliveredMail = z.infer<typeof UndeliveredMail>

export const SystemView = z.object({
  processes: z.array(ProcessRow),
  queues: z.array(
    z.object({
      area: z.enum(jobAreas),
      waiting: z.int(),
      oldestSeconds: Seconds,
      running: z.int(),
      failed: z.int(),
      /** Careful mode keeps it from running. */
      isHeld: z.boolean(),
    }),
  ),
  failedJobs: z.array(FailedJobRow),
  database: z.object({
    version: z.string(),
    bytes: Bytes,
    connections: z.int(),
    maxConnections: z.int(),
    /** How far the standby that is furthest behind is; null: there is none. */
    behindSeconds: Seconds.nullable(),
    oldestTransactionSeconds: Seconds,
  }),
  ownBackup: z.object({
    isSetUp: z.boolean(),
    canRun: z.boolean(),
    takenAt: IsoTime.nullable(),
    provenAt: IsoTime.nullable(),
  }),
  nameServers: z.array(z.object({ server: z.string(), isUp: z.boolean() })),
  certificates: z.object({
    own: z.array(z.object({ name: z.string(), validUntil: IsoTime.nullable(), problem: z.string().nullable() })),
    customers: z.int(),
    failing: z.int(),
    nextEnd: IsoTime.nullable(),
  }),
  mail: z.object({
    /** Null: mails are kept as files. */
    server: z.string().nullable(),
    sentToday: z.int(),
    waiting: z.int(),
    undelivered: z.array(UndeliveredMail),
  }),
  vault: z.object({
    liveBytes: Bytes,
    trashBytes: Bytes,
    badFiles: z.int(),
    isAtReserve: z.boolean(),
    scrubLateSeconds: Seconds,
  }),
})
export type SystemView = z.infer<typeof SystemView>

export const systemShow = defineCall({
  name: 'systemShow',
  path: '/v1/operator/system/show',
  ...readByStaff,
  topics: [],
  summary: 'Processes, queues, database, backup, name servers, certificates, mail and vault, as they are now.',
  data: SystemView,
})

/** A SHA-256 of a catalogue’s text. */
export const CatalogHash = z.string().regex(/^[0-9a-f]{64}$/)

export const catalogShow = defineCall({
  name: 'catalogShow',
  path: '/v1/operator/catalog/show',
  ...readByStaff,
  topics: [],
  summary: 'The catalogue in use, and how its file differs from it.',
  data: z.object({
    /** False: the file counts as soon as it is written, and there is nothing to apply. */
    isAsked: z.boolean(),
    /** The mistakes of the file, a line each; null: it has none. */
    problem: z.string().nullable(),
    change: z
      .object({
        from: CatalogHash,
        to: CatalogHash,
        appliedAt: IsoTime,
        /** Null: the first start, or the operator’s command. */
        appliedBy: z.string().nullable(),
        /** Lines that begin with `-` go, with `+` come; empty: nothing is different. */
        difference: z.string(),
      })
      .nullable(),
  }),
})

export const catalogApply = defineCall({
  name: 'catalogApply',
  path: '/v1/operator/catalog/apply',
  ...byOperator,
  topics: [],
  summary: 'Puts the file of the catalogue in use for every process, as its difference was shown.',
  body: z.strictObject({ from: CatalogHash, to: CatalogHash }),
})

export const jobRetry = defineCall({
  name: 'jobRetry',
  path: '/v1/operator/system/jobRetry',
  ...byStaff,
  topics: [],
  summary: 'Has a job that was given up tried again.',
  body: z.strictObject({ jobId: JobId }),
})

export const jobDiscard = defineCall({
  name: 'jobDiscard',
  path: '/v1/operator/system/jobDiscard',
  ...byOperator,
  topics: [],
  summary: 'Forgets a job that was given up; the reason is recorded.',
  body: z.strictObject({ jobId: JobId, reason: ActReason }),
})

export const mailResend = defineCall({
  name: 'mailResend',
  path: '/v1/operator/system/mailResend',
  ...byStaff,
  topics: [],
  summary: 'Sends a mail again that was not delivered.',
  body: z.strictObject({ mailId: MailId }),
})

export const mailTest = defineCall({
  name: 'mailTest',
  path: '/v1/operator/system/mailTest',
  ...byStaff,
  topics: [],
  summary: 'Sends a mail to the address of who looks after the deployment, and says what the mail server answered.',
  data: z.object({ to: z.string() }),
})

export const ownBackupRun = defineCall({
  name: 'ownBackupRun',
  path: '/v1/operator/system/backUp',
  ...byOperator,
  topics: [],
  summary: 'Has the deployment itself backed up now.',
})
