import { displayName, shorten } from '@atoll/contract/wire'
import { Avatar } from '@atoll/ui'
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconCheck, IconLogout } from '@tabler/icons-react'
import { ExpiredTag } from '../kit/page/ExpiredTag.tsx'
import { useText } from '../locales/text.ts'
import type { Account } from '../session/account.ts'
import { displayedId, useAccountName } from '../session/use-account-name.ts'
import classes from './AccountRow.module.css'

interface AccountRowProps {
  account: Account
  current: boolean
  /** Its session has run out: choosing it leads to signing in again. */
  expired: boolean
  onChoose: () => void
  onSignOut: () => void
}

/** One account: the row goes on as it, the icon at its end signs it out. */
export function AccountRow({ account, current, expired, onChoose, onSignOut }: AccountRowProps) {
  const t = useText()
  const name = useAccountName()(account)
  const leave = t('accounts.signOutOf', { name: displayName(account) })
  return (
    <li className={classes.row}>
      <UnstyledButton className={classes.choose} aria-current={current || undefined} onClick={onChoose}>
        <Avatar id={account.userid} name={displayedId(account)} src={account.avatar} size={36} />
        <span className={classes.words}>
          <span className={classes.name}>{name}</span>
          <span className={classes.did}>{shorten(account.userid)}</span>
        </span>
        {expired && <ExpiredTag />}
        {current && !expired && (
          <span className={classes.current}>
            <IconCheck size={16} stroke={2.2} aria-hidden="true" />
            <span className={classes.currentWord}>{t('accounts.current')}</span>
          </span>
        )}
      </UnstyledButton>
      <ActionIcon aria-label={leave} title={leave} onClick={onSignOut}>
        <IconLogout size={18} stroke={1.6} />
      </ActionIcon>
    </li>
  )
}
