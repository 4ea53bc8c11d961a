import { type NewsItem, newsDays, newsList, newsRead } from '@atoll/contract/accounts'
import { toDomainBase } from '@atoll/contract/domains'
import { alertRuleNames } from '@atoll/contract/observe'
import { Menu } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useRuleWords } from '../clusters/monitoring/alerts/rule-words.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { useLookRefusal } from '../kit/browser/use-change-refusal.ts'
import { formatTime } from '../kit/format/times.ts'
import type { LoadedMenuProps } from '../kit/menu/MenuButton.tsx'
import { OpenMenu } from '../kit/menu/OpenMenu.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './NewsItems.module.css'

/** Events of the last 30 days, the newest first; each leads to its object. */
export function NewsItems({ trigger }: LoadedMenuProps) {
  const t = useText()
  const locale = useLocale()
  const { data, error } = useCall(newsList, {})
  const { items = [], unread = 0 } = data ?? {}
  const refused = useLookRefusal()
  const read = useCallMutation(newsRead, { toast: true })
  const { what } = useRuleWords()
  const alertOf = ({ detail }: NewsItem) => {
    const rule = alertRuleNames.find((name) => name === detail)
    return rule ? what(rule) : (detail ?? '')
  }
  const [newest] = items
  return (
    <OpenMenu trigger={trigger} width={360}>
      {newest && unread > 0 && (
        <>
          <Menu.Item
            className={classes.readAll}
            closeMenuOnClick={false}
            aria-disabled={refused !== undefined}
            data-tip={refused}
            onClick={refused === undefined ? () => read.mutate({ upTo: newest.at }) : undefined}
          >
            {t('news.readAll')}
          </Menu.Item>
          <Menu.Divider role="separator" />
        </>
      )}
      {items.map((item) => (
        <Menu.Item
          key={item.id}
          renderRoot={(props) => <Link {...props} {...wayTo(item)} />}
          className={classes.item ?? ''}
        >
          <span className={classes.words}>
            {t(`news.${item.kind}`, { name: item.object.name, alert: alertOf(item) })}
          </span>
          <span className={classes.foot}>
            {formatTime(item.at, Date.now(), locale)}
            {item.isUnread && <span className={classes.unread}>{t('news.unread')}</span>}
          </span>
        </Menu.Item>
      ))}
      {!data && <Menu.Item disabled>{t(error ? 'news.error' : 'news.loading')}</Menu.Item>}
      {data && !newest && <Menu.Item disabled>{t('news.none', { count: newsDays })}</Menu.Item>}
    </OpenMenu>
  )
}

/** Of a domain that is no longer the reader's, the list. */
const lost: readonly NewsItem['kind'][] = [
  ...(['domainNameLost', 'domainMemberRemoved', 'domainReleased', 'domainOffered', 'domainHandedOver'] as const),
]

function wayTo({ kind, object: { kind: of, id } }: NewsItem): Pick<LinkProps, 'to' | 'params' | 'search'> {
  if (of === 'backup') return { to: '/backupDetails/$backupId', params: { backupId: id } }
  if (of === 'domain')
    return lost.includes(kind) ? { to: '/domains' } : { to: '/domain/$base', params: { base: toDomainBase(id) } }
  const isAlert = kind === 'alertFired' || kind === 'alertCleared'
  return { to: '/cluster/$clusterId', params: { clusterId: id }, ...(isAlert && { search: { tab: 'monitoring' } }) }
}
