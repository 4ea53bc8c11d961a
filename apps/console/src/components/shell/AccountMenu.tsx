import { Avatar } from '@atoll/ui'
import { UnstyledButton } from '@mantine/core'
import { IconSelector, IconUserCircle } from '@tabler/icons-react'
import type { Account } from '../../accounts/account.ts'
import { displayedId, useAccountName } from '../../accounts/use-account-name.ts'
import { useText } from '../../i18n/text.ts'
import { MenuButton } from '../menu/MenuButton.tsx'
import classes from './AccountMenu.module.css'

const load = () => import('./AccountItems.tsx').then((module) => module.AccountItems)

interface AccountMenuProps {
  account: Account
  /** `wide` in the header, `tab` in a phone's bottom bar. */
  form: 'wide' | 'tab'
}

/** Who is signed in; opens what can be done about that. */
export function AccountMenu({ account, form }: AccountMenuProps) {
  const t = useText()
  const name = useAccountName()(account)
  return (
    <MenuButton
      load={load}
      props={{ account, position: form === 'tab' ? 'top-end' : 'bottom-end' }}
      trigger={
        <UnstyledButton className={classes.target} data-form={form} aria-label={t('shell.accountMenu', { name })}>
          {form === 'tab' ? (
            <IconUserCircle size={22} stroke={1.8} />
          ) : (
            <Avatar id={account.userid} name={displayedId(account)} src={account.avatar} size={24} />
          )}
          <span className={classes.targetName}>{form === 'wide' ? name : t('shell.account')}</span>
          {form === 'wide' && <IconSelector size={14} stroke={1.6} aria-hidden="true" />}
        </UnstyledButton>
      }
    />
  )
}
