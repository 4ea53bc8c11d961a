/**
 * Where a payment leads once it has succeeded. A card may be charged for a while, and its bank may ask first, on a page
 * of its own: so this stands in the tab's storage until the page of the payment sees it paid.
 */
import { forgetInTab, keepInTab, readFromTab } from '../../kit/browser/tab-storage.ts'

const key = 'after-payment'

export interface AfterPayment {
  /** An address of the console, with its query. */
  to: string
  /** The sentence of the green notice there; absent: that page has its own. */
  text?: string | undefined
}

/** Keeps it for the page of this invoice's payment, which leads nowhere where nothing can be kept. */
export function keepAfterPayment(invoiceId: string, after: AfterPayment): void {
  keepInTab(key, JSON.stringify({ invoiceId, ...after }))
}

/** Where the payment of this invoice leads; undefined where nothing was kept of it. */
export function readAfterPayment(invoiceId: string): AfterPayment | undefined {
  const kept = readFromTab(key)
  if (kept === undefined) return undefined
  try {
    const { invoiceId: of, to, text } = Object(JSON.parse(kept))
    if (of !== invoiceId || typeof to !== 'string' || !to.startsWith('/')) return undefined
    return { to, ...(typeof text === 'string' && { text }) }
  } catch {
    return undefined
  }
}

/** The page of this invoice's payment is left, or has led on. */
export function forgetAfterPayment(invoiceId: string): void {
  if (readAfterPayment(invoiceId)) forgetInTab(key)
}
