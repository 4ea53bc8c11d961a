/** How the balance of an account that ends is paid out. Pure, in minor units. */
export interface Payout {
  toCards: { paymentId: string; amount: number }[]
  /** The part that no card paid, which is given up. */
  givenUp: number
}

/** To each card at most what it paid and was not given back, the first of `payments` first. */
export function splitPayout(balance: number, payments: readonly { id: string; toCard: number }[]): Payout {
  let left = Math.max(0, balance)
  const toCards: Payout['toCards'] = []
  for (const { id: paymentId, toCard } of payments) {
    const amount = Math.min(left, Math.max(0, toCard))
    if (amount > 0) toCards.push({ paymentId, amount })
    left -= amount
  }
  return { toCards, givenUp: left }
}
