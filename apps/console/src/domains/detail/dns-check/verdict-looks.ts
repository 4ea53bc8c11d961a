/** How each verdict looks; what it is called stands in the texts under the same key. */
import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import type { VerdictKind } from '@atoll/contract/domains'

interface VerdictLook {
  colour: BadgeColour
  shape: BadgeShape
}

const right: VerdictLook = { colour: 'green', shape: 'disc' }
const wrong: VerdictLook = { colour: 'coral', shape: 'square' }
const waits: VerdictLook = { colour: 'amber', shape: 'ring' }
const unknown: VerdictLook = { colour: 'grey', shape: 'hollow' }

export const verdictLooks: Record<VerdictKind, VerdictLook> = {
  match: right,
  quoted: right,
  missing: unknown,
  wrongValue: wrong,
  nameDoubled: wrong,
  noUnderscore: wrong,
  wrongPlace: wrong,
  otherServers: wrong,
  dsLeft: wrong,
  dnssecBroken: wrong,
  proxied: wrong,
  ownAddress: wrong,
  caaForbids: { colour: 'amber', shape: 'hollow' },
  stillCached: waits,
  serversDisagree: waits,
  lame: unknown,
  refused: unknown,
  noAnswer: unknown,
}
