import { type OrderInfo, resolveChoice } from '../offers/create-choice.ts'
import type { CreateSearch, CreateStep } from './create-search.ts'

/** The steps of what was chosen, in order. One that would ask nothing is left out. */
export function stepsOf(search: CreateSearch, info: OrderInfo): readonly CreateStep[] {
  if (search.flavour === 'SelfHost') return ['flavour', 'reach', 'review']
  const { cloud, offers, offer } = resolveChoice(search, info)
  // Why something cannot be had is shown in its step.
  const hasOneHardware = info.clouds.length === 1 && cloud?.regions.length === 1 && offers.length === 1 && offer
  return [
    'flavour',
    ...(hasOneHardware ? [] : (['hardware'] as const)),
    ...(info.versions.length === 1 ? [] : (['version'] as const)),
    'review',
  ]
}
