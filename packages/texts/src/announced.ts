/** The words of announcements and of the status page: kinds, parts of the service, and how far these work. */
import type { announcementKinds, StatusComponent, StatusState } from '@atoll/contract/announcements'
import { type Locale, lookUp } from '@atoll/contract/wire'
import tables from './tables/announced.gen.ts'

type AnnouncementKind = (typeof announcementKinds)[number]

interface AnnouncedTexts {
  kinds: Readonly<Record<AnnouncementKind, string>>
  components: Readonly<Record<StatusComponent, string>>
  states: Readonly<Record<StatusState, string>>
}

export const announcedTexts: Record<Locale, AnnouncedTexts> = tables

/** The label of a kind; an unknown kind is shown as it is. */
export function announcementKindLabel(kind: AnnouncementKind, locale: Locale): string {
  return lookUp<AnnouncementKind, string>(announcedTexts[locale].kinds, kind, kind)
}
