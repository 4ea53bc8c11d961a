import { minorUnitsPerUnit } from '@atoll/contract/wire'

/** An amount that was typed, in minor units; undefined: it is none. `12`, `12.5` and `12.50` are. */
export function typedMinor(typed: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? undefined : Number(whole) * minorUnitsPerUnit + Number(decimals.padEnd(2, '0'))
}
