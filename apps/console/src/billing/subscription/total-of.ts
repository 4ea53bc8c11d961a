import type { SubscriptionItem } from '@atoll/contract/billing'

/** The monthly price of one item, minor units. */
export function amountOf({ priceInfo, quantity }: Pick<SubscriptionItem, 'priceInfo' | 'quantity'>): number {
  return priceInfo.amount * quantity
}

/** A subscription's total row sums its item amounts (spec §9), minor units. */
export function totalOf({
  subscriptionItemsInfo,
}: {
  subscriptionItemsInfo: readonly Pick<SubscriptionItem, 'priceInfo' | 'quantity'>[]
}): number {
  return subscriptionItemsInfo.reduce((sum, item) => sum + amountOf(item), 0)
}
