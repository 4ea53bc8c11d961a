import type { AuditAction, AuditRecord } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useOfferingTitle } from '../clusters/card/use-offering-title.ts'
import { formatDayAndTime } from '../kit/format/times.ts'
import { type Translate, useLocale, useText } from '../kit/i18n/text.ts'
import table from '../kit/table/Table.module.css'
import classes from './ActivityPage.module.css'
import { describeChange } from './describe-change.ts'
import { describeRecord } from './describe-record.ts'

interface ActivityLineProps {
  userid: string
  record: AuditRecord
  /** Shows one object's records only. */
  onObject: (id: string) => void
}

/** What happened, who did it, from where and when; pressed, it shows what changed and the ids. */
export function ActivityLine({ userid, record, onObject }: ActivityLineProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
  const [open, setOpen] = useState(false)
  const { actor, action, at, ip } = record
  return (
    <>
      <tr data-open={open || undefined}>
        <td>
          <UnstyledButton className={table.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
            <IconChevronRight className={table.chevron} size={15} stroke={1.6} aria-hidden="true" />
            <span className={table.main}>{describeRecord(record, { userid, t, locale, offeringTitle })}</span>
          </UnstyledButton>
        </td>
        <td className={classes.who}>
          {actor === null
            ? t(byOperator.has(action) ? 'activity.operator' : 'activity.system')
            : nameOf(actor, userid, t)}
        </td>
        <td className={classes.from}>{ip ?? <span className={table.none}>{t('detail.none')}</span>}</td>
        <td className={classes.when}>
          <time dateTime={at} title={at}>
            {formatDayAndTime(at, Date.now(), locale)}
          </time>
        </td>
      </tr>
      {open && (
        <tr className={table.opened}>
          <td colSpan={4}>
            <Opened userid={userid} record={record} onObject={onObject} />
          </td>
        </tr>
      )}
    </>
  )
}

/** What changed, whose it is, and the ids that tell one object and one session from another. */
function Opened({ userid, record, onObject }: ActivityLineProps) {
  const t = useText()
  const locale = useLocale()
  const { object, sessionId } = record
  const colon = locale === 'zh-CN' ? '：' : ': '
  const facts = [
    ...describeChange(record, t, locale),
    ...(object.owner.userid === userid ? [] : [`${t('activity.owner')}${colon}${displayName(object.owner)}`]),
    `${t('activity.id')}${colon}${object.id}`,
    ...(sessionId === null ? [] : [`${t('activity.session')}${colon}${sessionId}`]),
  ]
  return (
    <div className={classes.opened}>
      <ul className={classes.facts}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <Button size="xs" onClick={() => onObject(object.id)}>
        {t('activity.onlyObject', { name: object.name ?? nameOf(object.owner, userid, t) })}
      </Button>
    </div>
  )
}

function nameOf(person: AuditRecord['object']['owner'], userid: string, t: Translate): string {
  return person.userid === userid ? t('activity.you') : displayName(person)
}

/** What only an operator's command does, from no session. */
const byOperator: ReadonlySet<AuditAction> = new Set([
  'account.grantAdmin',
  'account.revokeAdmin',
  'account.setQuota',
  'account.allowCreate',
  'account.forbidCreate',
])
