import { type OrderInfo, resolveChoice } from '../offers/create-choice.ts'
import type { CreateSearch, CreateStep } from './create-search.ts'

/** The steps of what was chosen, in order. One that would ask nothing is left out. */
export function stepsOf(search: CreateSearch, info: OrderInfo): readonly CreateStep[] {
  const isRestored = info.filesSize !== undefined
  if (search.flavour === 'SelfHost' && !isRestored) return ['flavour', 'reach', 'review']
  const { cloud, offers, offer } = resolveChoice(search, info)
  // Why something cannot be had is shown in its step.
  const hasOneHardware = info.clouds.length === 1 && cloud?.regions.length === 1 && offers.length === 1 && offer
  return [
    // Only a Cloud cluster is made of a backup.
    ...(isRestored ? [] : (['flavour'] as const)),
    ...(hasOneHardware ? [] : (['hardware'] as const)),
    ...(info.versions.length === 1 ? [] : (['version'] as const)),
    'review',
    ...(offer?.price && offer.price.amount > 0 ? (['pay'] as const) : []),
  ]
}
