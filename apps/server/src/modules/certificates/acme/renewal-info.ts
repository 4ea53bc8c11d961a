/**
 * An authority's suggestions about renewals (RFC 9773). These requests are unsigned, so they do not use our account.
 */
import acme from 'acme-client'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { CaFault, type RenewalWindow } from './ca.ts'
import { certificateId } from './certificate-id.ts'
import { readRetryAfter } from './retry-after.ts'

/** How long a directory is good for, ms. */
const directoryKeptMs = 60 * 60_000
const longestBytes = 65_536

const Directory = z.object({ renewalInfo: z.url({ protocol: /^https?$/ }).optional() })
const Suggestion = z.object({
  suggestedWindow: z
    .object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) })
    .transform(({ start, end }) => ({ start: new Date(start), end: new Date(end) }))
    .refine(({ start, end }) => end > start),
})

export function renewalInfo(directory: string, clock: Clock) {
  let known: { address: string | undefined; at: number } | undefined

  async function read<Schema extends z.ZodType>(url: string, schema: Schema) {
    // Error answers become faults where all do: in acme-ca.ts.
    const limits = { maxContentLength: longestBytes, validateStatus: null }
    const { data, headers } = await acme.axios.get<unknown>(url, limits)
    const parsed = schema.safeParse(data)
    if (!parsed.success) throw new CaFault('caRefused', `${url} does not answer as RFC 9773 says`)
    return { data: parsed.data, retryAfterMs: readRetryAfter(headers['retry-after']) }
  }

  /** Undefined: the authority suggests nothing. */
  async function findAddress(): Promise<string | undefined> {
    const now = clock.now().getTime()
    if (known && now - known.at < directoryKeptMs) return known.address
    const { data } = await read(directory, Directory)
    known = { address: data.renewalInfo?.replace(/\/+$/, ''), at: now }
    return known.address
  }

  return {
    /**
     * By which an order names the certificate that it replaces; `chain`: PEM. Undefined: the authority knows of no such
     * thing, its answer cannot be read, or the chain is damaged. The order is then one like any, and tells what is
     * wrong with the authority.
     */
    async idOf(chain: string): Promise<string | undefined> {
      try {
        return (await findAddress()) === undefined ? undefined : certificateId(chain)
      } catch {
        return undefined
      }
    },
    async read(chain: string): Promise<RenewalWindow | undefined> {
      const address = await findAddress()
      const id = address === undefined ? undefined : certificateId(chain)
      if (id === undefined) return undefined
      const { data, retryAfterMs } = await read(`${address}/${id}`, Suggestion)
      return { ...data.suggestedWindow, retryAfterMs }
    },
  }
}
