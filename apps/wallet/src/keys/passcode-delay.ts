/**
 * How long to wait after wrong passcodes. Kept in storage, so a reload does not start over. A right passcode clears
 * it.
 */
import { z } from 'zod'
import type { TextStorage } from './vault-file.ts'

const Attempts = z.object({ wrong: z.int().min(0), waitUntil: z.number() })
type Attempts = z.infer<typeof Attempts>
const storageKey = 'atoll_wallet_attempts'
/** Seconds to wait after the n-th wrong passcode in a row; the last one repeats. */
const delays = [0, 0, 5, 15, 30, 60, 300]

export function readAttempts(storage: TextStorage): Attempts {
  try {
    return Attempts.parse(JSON.parse(storage.getItem(storageKey) ?? 'null'))
  } catch {
    return { wrong: 0, waitUntil: 0 }
  }
}

/** Counts one more; answers with the new state. `now` in ms. */
export function countWrongPasscode(storage: TextStorage, now: number): Attempts {
  const wrong = readAttempts(storage).wrong + 1
  const seconds = delays[Math.min(wrong, delays.length) - 1] ?? 0
  const attempts = { wrong, waitUntil: now + seconds * 1000 }
  storage.setItem(storageKey, JSON.stringify(attempts))
  return attempts
}

export function clearAttempts(storage: TextStorage): void {
  storage.removeItem(storageKey)
}
