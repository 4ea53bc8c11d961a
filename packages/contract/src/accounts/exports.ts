/** One archive of all data about an account, for its owner: asked for, made by a job, kept for seven days. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'

export const accountExportStates = ['making', 'ready', 'failed', 'gone'] as const
export const AccountExportId = z.string().regex(/^ex_[a-z0-9]{8,40}$/)
/** Days for which it can be downloaded. */
export const exportKeptDays = 7

export const AccountExport = z.object({
  exportId: AccountExportId,
  state: z.enum(accountExportStates),
  askedAt: IsoTime,
  /** Bytes; null: it is not ready. */
  size: z.int().nullable(),
  /** Until when it can be downloaded; null: it is not ready. */
  until: IsoTime.nullable(),
})
export type AccountExport = z.infer<typeof AccountExport>

export const userExport = defineCall({
  name: 'userExport',
  path: '/v2/user/export',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'The newest archive of the data about this account.',
  data: z.object({ export: AccountExport.nullable() }),
})

export const userExportAsk = defineCall({
  name: 'userExportAsk',
  path: '/v2/user/export/ask',
  reach: 'self',
  rate: 'costly',
  topics: ['account'],
  summary: 'Asks for an archive of the data about this account, one a day; of who signed in within 15 minutes.',
  data: z.object({ exportId: AccountExportId }),
})

/** `GET` with the id and `.zip` behind it: the archive, to who signed in within 15 minutes. */
export const accountExportsPath = '/v2/user/exports'
