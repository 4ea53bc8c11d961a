/**
 * The tab's storage, for ways and choices that a page on the way may lose. Where the browser blocks it or it is full,
 * nothing is kept, and nothing fails.
 */

/** Undefined where nothing was kept. */
export function readFromTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function keepInTab(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // Blocked or full: it is as if it had not been kept.
  }
}

export function forgetInTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Blocked: nothing was kept.
  }
}
