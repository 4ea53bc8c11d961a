/** The words of announcements and of the status page: kinds, parts of the service, and how far these work. */
import type { announcementKinds, StatusComponent, StatusState } from '@atoll/contract/announcements'
import { type Locale, lookUp } from '@atoll/contract/wire'
import english from '../en-US/shared/announced.json' with { type: 'json' }
import chinese from '../zh-CN/shared/announced.json' with { type: 'json' }

type AnnouncementKind = (typeof announcementKinds)[number]

interface AnnouncedTexts {
  kinds: Readonly<Record<AnnouncementKind, string>>
  components: Readonly<Record<StatusComponent, string>>
  states: Readonly<Record<StatusState, string>>
}

export const announcedTexts: Record<Locale, AnnouncedTexts> = { 'en-US': english, 'zh-CN': chinese }

/** The label of a kind; an unknown kind is shown as it is. */
export function announcementKindLabel(kind: AnnouncementKind, locale: Locale): string {
  return lookUp<AnnouncementKind, string>(announcedTexts[locale].kinds, kind, kind)
}
