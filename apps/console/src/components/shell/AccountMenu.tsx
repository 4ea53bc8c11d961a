import { isDisplayableName, shorten } from '@atoll/contract'
import { Avatar } from '@atoll/ui'
import { Menu, UnstyledButton } from '@mantine/core'
import { IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react'
import type { Account } from '../../accounts/account.ts'
import { useText } from '../../i18n/text.ts'
import classes from './AccountMenu.module.css'
import { signOut } from './sign-out.ts'

interface AccountMenuProps {
  account: Account
  /** `wide` in the header, `tab` in a phone's bottom bar. */
  form: 'wide' | 'tab'
}

/** Who is signed in, and signing out. */
export function AccountMenu({ account, form }: AccountMenuProps) {
  const t = useText()
  const named = isDisplayableName(account.terminusName)
  const name = named ? account.terminusName : t('shell.noIdBound')
  const avatar = (size: number) => <Avatar id={account.userid} name={name ?? ''} src={account.avatar} size={size} />
  return (
    <Menu position={form === 'tab' ? 'top-end' : 'bottom-end'} width={308}>
      <Menu.Target>
        <UnstyledButton
          className={classes.target}
          data-form={form}
          aria-label={t('shell.accountMenu', { name: name ?? '' })}
        >
          {form === 'tab' ? <IconUserCircle size={22} stroke={1.8} /> : avatar(24)}
          <span className={classes.targetName}>{form === 'wide' ? name : t('shell.account')}</span>
          {form === 'wide' && <IconSelector size={14} stroke={1.6} aria-hidden="true" />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          {avatar(36)}
          <div className={classes.words}>
            <div className={classes.name}>{name}</div>
            <div className={classes.did}>{shorten(account.userid)}</div>
          </div>
        </div>
        <Menu.Divider role="separator" />
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.6} aria-hidden="true" />}
          onClick={() => void signOut(account)}
        >
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
