/**
 * A page that was left for the gateway's, on which a card is entered: what was chosen on it, and which cards there
 * were. The way back is an address without a query, so this stands in the tab's storage; no secrets do.
 */
import { forgetInTab, keepInTab, readFromTab } from '../../../kit/browser/tab-storage.ts'

const key = 'left-for-card'

export interface LeftForCard {
  /** The cards that there were: another one is the one that was added. */
  cards: readonly string[]
  /** The choices, in the form that the page reads back. */
  choices: Record<string, unknown>
}

/** Keeps it for the page that the gateway's leads back to, a path. */
export function leaveForCard(returnTo: string, left: LeftForCard): void {
  keepInTab(key, JSON.stringify({ returnTo, ...left }))
}

/** The choices kept for this page; undefined when it was not left to add a card. */
export function readLeft(): LeftForCard | undefined {
  const kept = readFromTab(key)
  if (kept === undefined) return undefined
  try {
    const { returnTo, cards, choices } = Object(JSON.parse(kept))
    if (returnTo !== location.pathname || !Array.isArray(cards)) return undefined
    return { cards: cards.map(String), choices: Object(choices) }
  } catch {
    return undefined
  }
}

/** Once the page has it back. */
export function forgetLeft(): void {
  forgetInTab(key)
}
