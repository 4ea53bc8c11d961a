/** Closing one's account: what goes, what is kept and what comes back, 14 days to change one's mind, then its end. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime } from '../wire/fields.ts'

/** Days in which the account can be kept. */
export const closingDays = 14
/** Years for which a name that ended so is nobody else's. */
export const nameRestYears = 1

export const AccountClosing = z.object({
  /** Null: it is not closing. Asked for by staff, on the owner's request by mail: `byStaff`. */
  closing: z.object({ since: IsoTime, until: IsoTime, byStaff: z.boolean() }).nullable(),
  /** When it ends: of one that is not closing, if it were closed now. */
  until: IsoTime,
  cloud: z.array(z.string()),
  selfHosted: z.array(z.string()),
  domains: z.array(z.string()),
  backups: z.object({ count: z.int(), newestAt: IsoTime.nullable() }),
  name: z.string().nullable(),
  nameUntil: IsoTime,
  invoicesUntil: IsoTime,
  retentionYears: z.int(),
  /**
   * Minor units. `unused`: the part of prepaid machines and of the plan that was not used; `owed`: withheld for bills
   * and usage; `toCard` and `givenUp`: what is done with the rest.
   */
  money: z.object({
    currency: Currency,
    balance: z.int(),
    unused: z.int(),
    owed: z.int().default(0),
    toCard: z.int(),
    givenUp: z.int(),
    promo: z.int(),
  }),
})
export type AccountClosing = z.infer<typeof AccountClosing>

export const userClosing = defineCall({
  name: 'userClosing',
  path: '/v2/user/closing',
  reach: 'self',
  reads: true,
  topics: ['account', 'billing', 'cluster', 'backup', 'domain'],
  summary: 'The effects of closing this account: things destroyed, kept and paid back, and whether it is closing.',
  data: AccountClosing,
})

export const userClose = defineCall({
  name: 'userClose',
  path: '/v2/user/close',
  reach: 'self',
  rate: 'costly',
  topics: ['account', 'cluster'],
  summary: 'Closes this account in 14 days; Cloud clusters stop now. Of who signed in within 15 minutes.',
  data: z.object({ until: IsoTime }),
})

export const userKeep = defineCall({
  name: 'userKeep',
  path: '/v2/user/keep',
  reach: 'self',
  rate: 'change',
  topics: ['account', 'cluster'],
  summary: 'Keeps an account that is closing; what its closing stopped starts again.',
})
