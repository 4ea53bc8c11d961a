import { Avatar } from '@atoll/ui'
import { UnstyledButton } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { MenuButton } from '../../kit/menu/MenuButton.tsx'
import { useText } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { displayedId, useAccountName } from '../../session/use-account-name.ts'
import { accountDestinations } from '../places/destinations.ts'
import { isWithin, useHere } from '../places/use-here.ts'
import classes from './AccountMenu.module.css'

const load = () => import('./AccountItems.tsx').then((module) => module.AccountItems)

const accountRoutes = accountDestinations.map(({ to }) => to)

interface AccountMenuProps {
  account: Account
  /** With the name, or the picture alone. */
  form: 'wide' | 'icon'
}

/** The signed-in account; opens the actions on it. */
export function AccountMenu({ account, form }: AccountMenuProps) {
  const t = useText()
  const name = useAccountName()(account)
  const here = useHere()
  return (
    <MenuButton
      load={load}
      props={{ account, withSettings: form === 'icon' }}
      trigger={
        <UnstyledButton
          className={classes.target}
          data-form={form}
          data-within={isWithin(accountRoutes, here) || undefined}
          aria-label={t('shell.accountMenu', { name })}
        >
          <Avatar
            id={account.userid}
            name={displayedId(account)}
            src={account.avatar}
            size={form === 'wide' ? 24 : 30}
          />
          {form === 'wide' && <span className={classes.targetName}>{name}</span>}
          {form === 'wide' && <IconSelector size={14} stroke={1.6} aria-hidden="true" />}
        </UnstyledButton>
      }
    />
  )
}
