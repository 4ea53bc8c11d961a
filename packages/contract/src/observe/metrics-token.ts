/** The token with which an account's own Prometheus reads its measurements (design/usage, "OpenMetrics"). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'

/** `GET`, with `Authorization: Bearer TOKEN`; `application/openmetrics-text`. */
export const openMetricsPath = '/v1/openmetrics'
/** A token may ask this often, s. */
export const openMetricsEverySeconds = 5

export const MetricsToken = z.object({
  createdAt: IsoTime,
  /** When it was used last; null: never. */
  usedAt: IsoTime.nullable(),
})
export type MetricsToken = z.infer<typeof MetricsToken>

export const metricsTokenShow = defineCall({
  name: 'metricsTokenShow',
  path: '/v1/resource/metricsToken',
  reach: 'self',
  reads: true,
  topics: ['session'],
  summary: 'Whether this account has a token to read its measurements with, and when it was used last.',
  data: z.object({ token: MetricsToken.nullable() }),
})

export const metricsTokenMake = defineCall({
  name: 'metricsTokenMake',
  path: '/v1/resource/metricsToken/make',
  reach: 'self',
  rate: 'change',
  topics: ['session'],
  summary: 'Makes a token that reads measurements and nothing else, shown this once; the one before ends.',
  data: z.object({ token: z.string(), url: z.string() }),
})

export const metricsTokenRevoke = defineCall({
  name: 'metricsTokenRevoke',
  path: '/v1/resource/metricsToken/revoke',
  reach: 'self',
  rate: 'change',
  topics: ['session'],
  summary: 'Ends the token of this account at once; without one, nothing is done.',
})
