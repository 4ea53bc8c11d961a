/**
 * The owner's own records of a domain, such as those of mail: they are copied into its zone when it is delegated here,
 * and added and removed there afterwards.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'

export const ownRecordTypes = ['MX', 'TXT', 'CAA', 'CNAME'] as const
/** Of one domain. */
export const mostOwnRecords = 100
/** As it is typed, characters: strings between quotes are longer than the text that a zone takes. */
export const longestOwnValue = 2500
/** Names to look at, such as those of DKIM keys, which cannot be listed. */
export const mostMovedNames = 10

/** `name`: in full, or the part in front of the domain; `@` is the domain itself. */
const TypedRecord = z.strictObject({
  type: z.enum(ownRecordTypes),
  name: z.string().max(300),
  value: z.string().min(1).max(longestOwnValue),
})
export const TypedRecords = z.array(TypedRecord).max(mostOwnRecords)
export type TypedRecord = z.infer<typeof TypedRecord>

/** A record in the zone; its name is in full. */
export const OwnRecord = z.object({ type: z.enum(ownRecordTypes), name: z.string(), value: z.string() })
export type OwnRecord = z.infer<typeof OwnRecord>

const domain = z.string().max(1000)

export const domainMoves = defineCall({
  name: 'domainMoves',
  path: '/v1/domain/moves',
  reach: 'private',
  reads: true,
  topics: ['domain'],
  summary:
    'The records of mail, web and certificates at the domain itself, its mail policy, and the texts at `names`: those that move when it is delegated.',
  body: z.strictObject({ domain, names: z.array(z.string().max(300)).max(mostMovedNames).optional() }),
  data: z.object({
    /** Null: no resolver answered. */
    records: z
      .array(
        z.object({
          type: z.enum(['MX', 'A', 'AAAA', 'TXT', 'CAA', 'CNAME']),
          name: z.string(),
          values: z.array(z.string()).min(1),
        }),
      )
      .nullable(),
  }),
})
export type MovedRecords = NonNullable<z.infer<typeof domainMoves.data>['records']>

const ownRecords = z.object({ records: z.array(OwnRecord) })

export const domainRecordAdd = defineCall({
  name: 'domainRecordAdd',
  path: '/v1/domain/record/add',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: "Adds a record of the owner to the domain's zone here; one that is there already is no change.",
  body: z.strictObject({ domain, ...TypedRecord.shape }),
  data: ownRecords,
})

export const domainRecordDelete = defineCall({
  name: 'domainRecordDelete',
  path: '/v1/domain/record/delete',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: "Removes a record of the owner from the domain's zone here; one that is gone already is no change.",
  body: z.strictObject({ domain, ...TypedRecord.shape }),
  data: ownRecords,
})
