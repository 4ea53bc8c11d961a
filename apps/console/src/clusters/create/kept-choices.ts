/** The choices of an order while its page is left for a card: the way back is an address without a query. */
const key = 'create-choices'

/** Keeps the choices that stand in the address. */
export function keepChoices(): void {
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(new URLSearchParams(location.search))))
}

/** What was kept, once; undefined: nothing. */
export function takeChoices(): Record<string, unknown> | undefined {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (kept === null) return undefined
  try {
    return Object(JSON.parse(kept))
  } catch {
    return undefined
  }
}
