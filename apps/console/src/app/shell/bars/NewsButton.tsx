import { newsList } from '@atoll/contract/accounts'
import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useCall } from '../../../data/use-call.ts'
import { useFirstIdle } from '../../../kit/browser/first-idle.tsx'
import { MenuButton } from '../../../kit/menu/MenuButton.tsx'
import { loadTextsBeyondHome } from '../../../locales/language.ts'
import { useText } from '../../../locales/text.ts'
import classes from './NewsButton.module.css'

const load = async () => {
  const [{ NewsItems }] = await Promise.all([import('../../../news/NewsItems.tsx'), loadTextsBeyondHome()])
  return NewsItems
}

/** How many are counted at most. */
const counted = 9

/** The bell: how many events are unread, and the list of the last 30 days. */
export function NewsButton() {
  const t = useText()
  const { unread = 0 } = useCall(newsList, {}, { enabled: useFirstIdle() }).data ?? {}
  const shown = unread > counted ? `${counted}+` : String(unread)
  const label = unread > 0 ? t('shell.newsUnread', { shown }) : t('shell.news')
  return (
    <MenuButton
      load={load}
      props={{}}
      trigger={
        <ActionIcon className={classes.bell ?? ''} aria-label={label} data-tip={t('shell.news')}>
          <IconBell size={18} stroke={1.6} aria-hidden="true" />
          {unread > 0 && (
            <span className={classes.count} aria-hidden="true">
              {shown}
            </span>
          )}
        </ActionIcon>
      }
    />
  )
}
