/**
 * Locks after a time without a touch, and at once when a page comes back from longer in the background (timers sleep
 * there). The time is the person's choice, kept in storage.
 */
import type { Keychain } from './keychain.ts'
import type { TextStorage } from './vault-file.ts'

export const autoLockChoices = [1, 5, 15] as const
export type AutoLockMinutes = (typeof autoLockChoices)[number]
const storageKey = 'atoll_wallet_auto_lock'

export function readAutoLock(storage: TextStorage): AutoLockMinutes {
  const stored = Number(storage.getItem(storageKey))
  return autoLockChoices.find((minutes) => minutes === stored) ?? 5
}

export function writeAutoLock(storage: TextStorage, minutes: AutoLockMinutes): void {
  storage.setItem(storageKey, String(minutes))
}

/** @returns a function that stops watching */
export function watchForIdleness(keychain: Keychain, storage: TextStorage): () => void {
  let touchedAt = Date.now()
  const touch = () => {
    touchedAt = Date.now()
  }
  const check = () => {
    const idleMs = Date.now() - touchedAt
    if (!keychain.getState().locked && idleMs >= readAutoLock(storage) * 60_000) keychain.lock()
  }
  const checkThenTouch = () => {
    check()
    touch()
  }
  const timer = setInterval(check, 5000)
  addEventListener('pointerdown', checkThenTouch, { capture: true })
  addEventListener('keydown', checkThenTouch, { capture: true })
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    removeEventListener('pointerdown', checkThenTouch, { capture: true })
    removeEventListener('keydown', checkThenTouch, { capture: true })
    document.removeEventListener('visibilitychange', check)
  }
}
