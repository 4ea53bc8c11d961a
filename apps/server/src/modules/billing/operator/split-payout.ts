/** How the balance of an account that ends is paid out. Pure, in minor units. */
export interface Payout<Charge> {
  toCards: { charge: Charge; amount: number }[]
  /** The part that no card paid, which is given up. */
  givenUp: number
}

/** To each card at most what it paid and was not given back, the first of `charges` first. */
export function splitPayout<Charge extends { toCard: number }>(
  balance: number,
  charges: readonly Charge[],
): Payout<Charge> {
  let left = Math.max(0, balance)
  const toCards: Payout<Charge>['toCards'] = []
  for (const charge of charges) {
    const amount = Math.min(left, Math.max(0, charge.toCard))
    if (amount > 0) toCards.push({ charge, amount })
    left -= amount
  }
  return { toCards, givenUp: left }
}
