/** The sections of the operator's area, once: sidebar, bottom bar and pages follow this list. */
import {
  type Icon,
  IconCircles,
  IconCoin,
  IconFlag,
  IconGauge,
  IconHeartRateMonitor,
  IconIdBadge2,
  IconSpeakerphone,
  IconStack2,
  IconUsers,
  IconVersions,
} from '@tabler/icons-react'
import type { TextKey } from '../../locales/text.ts'

export interface OperatorPlace {
  /** As it stands in the address after `/operator/`; the first one also without. */
  section: string
  label: TextKey
  icon: Icon
}

export const operatorPlaces = [
  { section: 'overview', label: 'operator.overview', icon: IconGauge },
  { section: 'customers', label: 'operator.customers', icon: IconUsers },
  { section: 'clusters', label: 'operator.clusters', icon: IconCircles },
  { section: 'money', label: 'operator.money', icon: IconCoin },
  { section: 'system', label: 'system.title', icon: IconHeartRateMonitor },
  { section: 'capacity', label: 'capacity.title', icon: IconStack2 },
  { section: 'versions', label: 'versions.title', icon: IconVersions },
  { section: 'abuse', label: 'operator.abuse', icon: IconFlag },
  { section: 'announcements', label: 'operator.announcements', icon: IconSpeakerphone },
  { section: 'staff', label: 'operator.staff', icon: IconIdBadge2 },
] as const satisfies readonly OperatorPlace[]

export type OperatorSection = (typeof operatorPlaces)[number]['section']

/** The section of an address; undefined: there is none of this name. */
export function sectionOf(section: string | undefined): OperatorSection | undefined {
  if (section === undefined) return operatorPlaces[0].section
  return operatorPlaces.find((place) => place.section === section)?.section
}
