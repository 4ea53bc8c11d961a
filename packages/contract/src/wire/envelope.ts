import { z } from 'zod'

/** Body codes of product-API answers (wire, "Envelope"); HTTP is 200, but 405 for a wrong method. */
export const codes = {
  ok: 200,
  /** Passed on silently by the console (spec §8). */
  silent: 401,
  forbidden: 403,
  notFound: 404,
  methodWrong: 405,
  /** The action does not fit the object's state, or its name is taken. */
  conflict: 409,
  tooLarge: 413,
  /** The body is neither a form nor JSON. */
  unsupportedType: 415,
  tooManyRequests: 429,
  serverError: 500,
  /** A required parameter is missing or malformed. */
  badParameter: 501,
  unavailable: 503,
  /** Not signed in, or the session expired. */
  signedOut: 506,
  /** Wallets know these two (wire, "Domains: what wallets do"). */
  joinRefused: 30209,
  organizationUnknown: 30215,
} as const

/** The envelope around `data` of a product-API or identity-service answer. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.object({ code: z.number().int(), message: z.string(), field: z.string().optional(), data: data.optional() })
}

export interface Envelope<T> {
  code: number
  message: string
  /** The field of the body that is refused, where a person can give another value. */
  field?: string
  data?: T
}
