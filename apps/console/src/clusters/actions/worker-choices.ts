/** Choices made in the dialog that adds workers, kept while the page is left to add a card. */
export interface WorkerChoices {
  offering: string | undefined
  quantity: number
  coupon: string | undefined
}

/** Reads it from what was kept; undefined: the page was left for something else. */
export function workerChoices(kept: Record<string, unknown> | undefined): WorkerChoices | undefined {
  if (kept?.['workers'] === undefined) return undefined
  const { offering, quantity, coupon } = Object(kept['workers'])
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    offering: text(offering),
    quantity: Number.isInteger(quantity) && quantity > 0 ? quantity : 1,
    coupon: text(coupon),
  }
}
