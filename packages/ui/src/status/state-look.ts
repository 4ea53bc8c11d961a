import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import { lookUp } from '@atoll/contract/wire'

export interface StateLook {
  colour: BadgeColour
  shape: BadgeShape
}

/** How a state looks by `looks`; one that is not known yet is grey. */
export function stateLook<State extends string>(looks: Readonly<Record<State, StateLook>>, state: State): StateLook {
  return lookUp<State, StateLook>(looks, state, { colour: 'grey', shape: 'hollow' })
}
