import type { AuditRecord } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import type { Translate } from '../locales/text.ts'

/** The name of a record's person for the reader `userid`. */
export function personName(person: NonNullable<AuditRecord['object']['owner']>, userid: string, t: Translate): string {
  return person.userid === userid ? t('activity.you') : displayName(person)
}
