/**
 * Meters for a rehearsal: what was used until now as it was read, and from then on what is assumed. They have spoken
 * for an hour ten minutes after it, as readings are taken, so that bills come when they then do.
 */
import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import { divideHalfEven, parseDecimal, quantityDecimals } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import { metering } from '../usage/metered-products.ts'
import type { Meters, Reading } from '../usage/meters.ts'

/** 10^-6 GB: of what flows in each 30 days, evenly; of what is stored, what there is all the time. */
export type AssumedUsage = Readonly<Partial<Record<MeteredProduct, bigint>>>

const hourMs = 60 * 60_000
const readAfterMs = 10 * 60_000
const flowMs = 30 * 24 * hourMs

/** `since`: the wall's time at which the rehearsal begins; `clock` shows the wall's time that is played. */
export function assumeUsage(
  meters: Meters,
  assumed: AssumedUsage,
  { since, clock }: { since: Date; clock: Clock },
): Meters {
  return {
    async read(db, span) {
      const { productType: product, from, to } = span
      if (to <= since) return await meters.read(db, span)
      const past = from < since ? await meters.read(db, { ...span, to: since }) : undefined
      const each = assumed[product] ?? 0n
      const used =
        metering[product].measure === 'flow'
          ? (past?.used ?? 0n) + flowedWithin(each, { from, to }, { since, now: clock.now() })
          : meanOf(past?.used ?? 0n, each, { from, since, to })
      const spokeAt = Math.ceil(to.getTime() / hourMs) * hourMs + readAfterMs
      const reading: Reading = {
        used,
        unitLabel: metering[product].unitLabel,
        asOf: to,
        parts: past?.parts ?? [],
        complete: clock.now().getTime() >= spokeAt,
        digest: sha256Hex(`${past?.digest ?? ''} ${used}`),
      }
      return reading
    },
  }
}

/** Usage covered by readings at `now`: whole hours; each hour belongs to the span in which it begins. */
function flowedWithin(
  each: bigint,
  { from, to }: { from: Date; to: Date },
  { since, now }: { since: Date; now: Date },
) {
  const toHour = (ms: number, round: (hours: number) => number) => round(ms / hourMs) * hourMs
  const known = toHour(now.getTime() - readAfterMs, Math.floor)
  const begin = Math.max(since.getTime(), toHour(from.getTime(), Math.ceil))
  const end = Math.max(begin, Math.min(toHour(to.getTime(), Math.ceil), known))
  return flowed(each, since, new Date(end)) - flowed(each, since, new Date(begin))
}

/** From `since` until then, as a total that was rounded: whatever it is cut into sums to the same. */
function flowed(each: bigint, since: Date, until: Date): bigint {
  return divideHalfEven(each * BigInt(Math.max(until.getTime() - since.getTime(), 0)), BigInt(flowMs))
}

function meanOf(past: bigint, each: bigint, { from, since, to }: { from: Date; since: Date; to: Date }): bigint {
  const [begin, now, end] = [from, since, to].map((at) => BigInt(at.getTime())) as [bigint, bigint, bigint]
  if (begin >= now) return each
  return divideHalfEven(past * (now - begin) + each * (end - now), end - begin)
}

/** By the quantities of a call, decimal text in GB. */
export function readAssumed(quantities: Readonly<Partial<Record<MeteredProduct, string>>>): AssumedUsage {
  return Object.fromEntries(
    meteredProducts.map((product) => [product, parseDecimal(quantities[product] ?? '0', quantityDecimals) ?? 0n]),
  )
}
