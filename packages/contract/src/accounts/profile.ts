/** `/v2/user`: the account's email address and picture. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime, WireBool } from '../wire/fields.ts'
import { TimeZone } from '../wire/time-zone.ts'

/** How long an email code can be used, ms, how many digits it has, and how often it may be mistyped. */
export const emailCodeLifetimeMs = 10 * 60_000
export const emailCodeDigits = 6
export const emailCodeTries = 5
/** At most one code a minute and five an hour, for an account and for an address. ms, count */
export const emailCodePauseMs = 60_000
export const emailCodesPerHour = 5

/** The email as typed; the server normalises and checks it, and says what is wrong with it. */
const TypedEmail = z.string().min(1).max(320)

/**
 * How the last mail to an address fares. `delayed`: it could not be sent yet, and is tried again. `failed`: it will
 * not be.
 */
export const mailStates = ['waiting', 'sent', 'delayed', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export const EmailBinding = z.object({
  /** The bound address. */
  email: z.string().nullable(),
  /** An address whose code is awaited. */
  pending: z
    .object({
      email: z.string(),
      mail: z.enum(mailStates),
      /** Until when the code can be typed, and from when another can be asked for. */
      expireAt: IsoTime,
      nextCodeAt: IsoTime,
      triesLeft: z.int(),
    })
    .nullable(),
})
export type EmailBinding = z.infer<typeof EmailBinding>

export const emailShow = defineCall({
  name: 'emailShow',
  path: '/v2/user/email',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'The bound email address, and the one whose code is awaited.',
  data: EmailBinding,
})

export const userTimeZone = defineCall({
  name: 'userTimeZone',
  path: '/v2/user/timeZone',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Sets the time zone in which the account reads deadlines, in mails too.',
  body: z.strictObject({ timeZone: TimeZone }),
})

/** Kinds of mail that an account may do without; those about money, deadlines and security always come. */
export const optionalMails = ['alerts', 'usage', 'reminders'] as const
export const OptionalMail = z.enum(optionalMails)
export type OptionalMail = z.infer<typeof OptionalMail>

export const userMails = defineCall({
  name: 'userMails',
  path: '/v2/user/mails',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'The optional kinds of mail, and whether the account gets each.',
  data: z.object({ mails: z.array(z.object({ mail: OptionalMail, isOn: z.boolean() })) }),
})

export const userMailsChange = defineCall({
  name: 'userMailsChange',
  path: '/v2/user/mails/change',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Switches one optional kind of mail on or off.',
  body: z.strictObject({ mail: OptionalMail, isOn: WireBool }),
})

export const sendSetEmailCode = defineCall({
  name: 'sendSetEmailCode',
  path: '/v2/user/send_set_email_code',
  reach: 'self',
  rate: 'mail',
  topics: ['account'],
  summary: 'Sends a six-digit code to an address that is to be bound.',
  body: z.strictObject({ email: TypedEmail }),
  data: EmailBinding,
})

export const verifyBindEmail = defineCall({
  name: 'verifyBindEmail',
  path: '/v2/user/verify_bind_email',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Binds the address to which the code was sent.',
  body: z.strictObject({
    email: TypedEmail,
    /** As typed; spaces between the digits do not count. */
    code: z.string().max(20),
  }),
  data: EmailBinding,
})

export const emailCodeCancel = defineCall({
  name: 'emailCodeCancel',
  path: '/v2/user/email/cancel',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Forgets a code that is awaited; the bound address stays. Safe to repeat.',
  data: EmailBinding,
})

export const emailRemove = defineCall({
  name: 'emailRemove',
  path: '/v2/user/email/remove',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Unbinds the email address, and forgets a code that is awaited; safe to repeat.',
  data: EmailBinding,
})

/** Largest picture that is read, bytes, and its side once it is stored, px. */
export const avatarLimitBytes = 5 * 1024 * 1024
export const avatarSize = 256

export const avatarSet = defineCall({
  name: 'avatarSet',
  path: '/v2/user/avatar',
  reach: 'self',
  rate: 'picture',
  topics: ['account'],
  summary: 'Takes a JPEG, PNG or WebP picture (base64), which is cropped to a square and encoded again.',
  body: z.strictObject({
    /** base64 or base64url; with or without padding. */
    image: z
      .string()
      .min(1)
      .max(Math.ceil((avatarLimitBytes * 4) / 3) + 4),
  }),
  /** Base64 is a third larger than the picture; the rest is the field's name and its padding. */
  bodyLimit: Math.ceil((avatarLimitBytes * 4) / 3) + 1024,
  data: z.object({ avatar: z.string() }),
})

export const avatarRemove = defineCall({
  name: 'avatarRemove',
  path: '/v2/user/avatar/remove',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Removes the picture; the one made from the DID is shown again. Safe to repeat.',
})
