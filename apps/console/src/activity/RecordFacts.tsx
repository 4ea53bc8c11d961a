import type { AuditRecord } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import { useLocale, useText } from '../locales/text.ts'
import { describeChange } from './describe-change.ts'
import { personName } from './person-name.ts'
import classes from './RecordFacts.module.css'

interface RecordFactsProps {
  userid: string
  record: AuditRecord
  /** Shows one object's records only. */
  onObject: (id: string) => void
}

/** The change, its owner, and the ids that distinguish one object and one session from another. */
export function RecordFacts({ userid, record, onObject }: RecordFactsProps) {
  const t = useText()
  const locale = useLocale()
  const { sessionId } = record
  const { id, name, owner } = record.object
  const colon = locale === 'zh-CN' ? '：' : ': '
  const facts = [
    ...describeChange(record, t, locale),
    ...(owner === null || owner.userid === userid ? [] : [`${t('activity.owner')}${colon}${displayName(owner)}`]),
    ...(id === null ? [] : [`${t('activity.id')}${colon}${id}`]),
    ...(sessionId === null ? [] : [`${t('activity.session')}${colon}${sessionId}`]),
  ]
  return (
    <div className={classes.opened}>
      <ul className={classes.facts}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {id !== null && (
        <Button size="xs" onClick={() => onObject(id)}>
          {t('activity.onlyObject', { name: name ?? (owner === null ? id : personName(owner, userid, t)) })}
        </Button>
      )}
    </div>
  )
}
