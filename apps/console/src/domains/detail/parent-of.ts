import type { Domain } from '@atoll/contract/domains'

/**
 * Where the records are added, as people call it: an apex itself, otherwise the name above. It may stand in a zone
 * further up; who has the domain knows.
 */
export function parentOf({ shown, isApex }: Pick<Domain, 'shown' | 'isApex'>): string {
  return isApex ? shown : shown.slice(shown.indexOf('.') + 1)
}
