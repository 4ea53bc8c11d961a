import { useServerTime } from '../approval/use-server-time.ts'

/** Well within the 120 s for which a signed time is taken (wire). */
const renewedEveryMs = 30_000

/** A time to sign with, ms by the server's clock: renewed while a person reads, and the same as is shown. */
export function useSigningTime(): number {
  return useServerTime(renewedEveryMs)
}
