import type { AuditRecord } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import type { Translate } from '../locales/text.ts'

/** What a person of a record is called by the one who reads it as `userid`. */
export function personName(person: NonNullable<AuditRecord['object']['owner']>, userid: string, t: Translate): string {
  return person.userid === userid ? t('activity.you') : displayName(person)
}
