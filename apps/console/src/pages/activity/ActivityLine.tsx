import {
  type AuditAction,
  type AuditRecord,
  auditActionLabels,
  auditKindNames,
  displayName,
  shorten,
} from '@atoll/contract'
import { UnstyledButton } from '@mantine/core'
import table from '../../components/instances/Table.module.css'
import { formatDayAndTime } from '../../format/times.ts'
import { type Translate, useLocale, useText } from '../../i18n/text.ts'
import classes from './ActivityPage.module.css'
import { describeChange } from './describe-change.ts'

interface ActivityLineProps {
  userid: string
  record: AuditRecord
  onObject: (id: string) => void
}

/** One act: when, what to which object, what changed, who, from where. */
export function ActivityLine({ userid, record, onObject }: ActivityLineProps) {
  const t = useText()
  const locale = useLocale()
  const { actor, action, object, at, sessionId, ip } = record
  return (
    <tr>
      <td className={classes.when}>
        <time dateTime={at} title={at}>
          {formatDayAndTime(at, Date.now(), locale)}
        </time>
      </td>
      <td>
        <span className={table.main}>{auditActionLabels[action][locale]}</span>
        <UnstyledButton className={classes.object ?? ''} onClick={() => onObject(object.id)} title={object.id}>
          {object.name ??
            (object.kind === 'account'
              ? nameOf(object.owner, userid, t)
              : `${auditKindNames[object.kind][locale]} ${shortId(object.id)}`)}
        </UnstyledButton>
      </td>
      <td data-label={t('activity.columnChange')}>
        <ul className={classes.changes}>
          {describeChange(record, t, locale).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </td>
      <td data-label={t('activity.columnWho')}>
        <span>
          {actor === null
            ? t(byOperator.has(action) ? 'activity.operator' : 'activity.system')
            : nameOf(actor, userid, t)}
          {actor !== null && object.owner.userid !== actor.userid && (
            <span className={table.second}>{t('activity.ownedBy', { name: nameOf(object.owner, userid, t) })}</span>
          )}
        </span>
      </td>
      <td data-label={t('activity.columnFrom')}>
        <span className={classes.from}>
          {ip ?? t('detail.none')}
          {sessionId && (
            <span className={table.second} title={sessionId}>
              {shortId(sessionId)}
            </span>
          )}
        </span>
      </td>
    </tr>
  )
}

function nameOf(person: AuditRecord['object']['owner'], userid: string, t: Translate): string {
  return person.userid === userid ? t('activity.you') : displayName(person)
}

/** Enough of an id to tell two apart; the whole of it is in the tip and in the export. */
function shortId(id: string): string {
  return shorten(id, 11)
}

/** What only an operator's command does, from no session. */
const byOperator: ReadonlySet<AuditAction> = new Set([
  'account.grantAdmin',
  'account.revokeAdmin',
  'account.setQuota',
  'account.allowCreate',
  'account.forbidCreate',
])
