import { Avatar } from '@atoll/ui'
import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconLogout, IconSelector, IconUserCircle, IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type Account, isExpired } from '../../accounts/account.ts'
import { useHeldAccounts } from '../../accounts/account-store.ts'
import { useAccountActions } from '../../accounts/use-account-actions.ts'
import { useAccountName } from '../../accounts/use-account-name.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { shortDid } from '../../format/did.ts'
import { useText } from '../../i18n/text.ts'
import { ExpiredTag } from '../ExpiredTag.tsx'
import classes from './AccountMenu.module.css'
import { accountDestinations } from './destinations.ts'

interface AccountMenuProps {
  account: Account
  /** `wide` in the header, `tab` in a phone's bottom bar. */
  form: 'wide' | 'tab'
}

/** Who is signed in; the other accounts of this browser, what is about the person, and signing out. */
export function AccountMenu({ account, form }: AccountMenuProps) {
  const t = useText()
  const accounts = useHeldAccounts()
  const actions = useAccountActions()
  const nameOf = useAccountName()
  const name = nameOf(account)
  return (
    <Menu
      checkIcon={<IconCheck size={16} stroke={2.2} aria-hidden="true" />}
      position={form === 'tab' ? 'top-end' : 'bottom-end'}
      width={308}
    >
      <Menu.Target>
        <UnstyledButton className={classes.target} data-form={form} aria-label={t('shell.accountMenu', { name })}>
          {form === 'tab' ? (
            <IconUserCircle size={22} stroke={1.8} />
          ) : (
            <Avatar id={account.userid} name={name} src={account.avatar} size={24} />
          )}
          <span className={classes.targetName}>{form === 'wide' ? name : t('shell.account')}</span>
          {form === 'wide' && <IconSelector size={14} stroke={1.6} aria-hidden="true" />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {accounts.map((held) => (
          <Menu.RadioItem
            key={held.userid}
            value={held.userid}
            className={classes.account}
            classNames={{ itemIndicator: classes.indicator, itemLabel: classes.accountLabel }}
            checked={held.userid === account.userid}
            closeMenuOnClick
            rightSection={isExpired(held, serverNow()) && <ExpiredTag />}
            onChange={() => void actions.switchTo(held)}
          >
            <Avatar id={held.userid} name={nameOf(held)} src={held.avatar} size={30} />
            <span className={classes.words}>
              <span className={classes.name}>{nameOf(held)}</span>
              <span className={classes.did}>{shortDid(held.userid)}</span>
            </span>
          </Menu.RadioItem>
        ))}
        <Menu.Divider role="separator" />
        <Menu.Item
          component={Link}
          to="/login"
          leftSection={<IconUserPlus size={16} stroke={1.6} aria-hidden="true" />}
        >
          {t('accounts.add')}
        </Menu.Item>
        {accountDestinations.map(({ to, label, icon: Icon }) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}>
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider role="separator" />
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.6} aria-hidden="true" />}
          onClick={() => void actions.signOut(account)}
        >
          {t('shell.signOut')}
        </Menu.Item>
        {accounts.length > 1 && (
          <Menu.Item leftSection={<span className={classes.noIcon} />} onClick={() => void actions.signOutAll()}>
            {t('accounts.signOutAll', { count: accounts.length })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
