import { shorten } from '@atoll/contract/wire'
import { Avatar } from '@atoll/ui'
import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconHelpCircle, IconLogout, IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAccountActions } from '../../account-list/use-account-actions.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { appearances } from '../../kit/menu/appearances.ts'
import type { LoadedMenuProps } from '../../kit/menu/MenuButton.tsx'
import { OpenMenu } from '../../kit/menu/OpenMenu.tsx'
import { ExpiredTag } from '../../kit/page/ExpiredTag.tsx'
import { leaving, siteLinks } from '../../kit/site/SiteLinks.tsx'
import { useText } from '../../locales/text.ts'
import { type Account, isExpired } from '../../session/account.ts'
import { useStoredAccounts } from '../../session/account-store.ts'
import { displayedId, useAccountName } from '../../session/use-account-name.ts'
import { accountDestinations, operatorDestination } from '../places/destinations.ts'
import classes from './AccountItems.module.css'

export interface AccountItemsProps {
  account: Account
  /** Where the header has no room for them. */
  withSettings: boolean
}

/** The accounts of this browser, what is about the person, and signing out. */
export function AccountItems({ trigger, account, withSettings }: AccountItemsProps & LoadedMenuProps) {
  const t = useText()
  const accounts = useStoredAccounts()
  const actions = useAccountActions()
  const nameOf = useAccountName()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const places = [...accountDestinations, ...(account.staff ? [operatorDestination] : [])].filter(
    // Wide screens have one in the header and the other in the sidebar.
    ({ to }) => withSettings || (to !== '/languageList' && to !== '/alerts'),
  )
  return (
    <OpenMenu trigger={trigger} width={308}>
      {accounts.map((stored) => (
        <Menu.RadioItem
          key={stored.userid}
          value={stored.userid}
          className={classes.account}
          classNames={{ itemIndicator: classes.indicator, itemLabel: classes.accountLabel }}
          checked={stored.userid === account.userid}
          closeMenuOnClick
          rightSection={isExpired(stored, serverNow()) && <ExpiredTag />}
          onChange={() => void actions.switchTo(stored)}
        >
          <Avatar id={stored.userid} name={displayedId(stored)} src={stored.avatar} size={30} />
          <span className={classes.words}>
            <span className={classes.name}>{nameOf(stored)}</span>
            <span className={classes.did}>{shorten(stored.userid)}</span>
          </span>
        </Menu.RadioItem>
      ))}
      <Menu.Divider role="separator" />
      <Menu.Item component={Link} to="/login" leftSection={<IconUserPlus size={16} stroke={1.6} aria-hidden="true" />}>
        {t('accounts.add')}
      </Menu.Item>
      {places.map(({ to, label, icon: Icon }) => (
        <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}>
          {t(label)}
        </Menu.Item>
      ))}
      <Menu.Item
        component={Link}
        to="/help/{-$page}"
        leftSection={<IconHelpCircle size={16} stroke={1.6} aria-hidden="true" />}
      >
        {t('help.title')}
      </Menu.Item>
      {siteLinks().map(({ name, href }) => (
        <Menu.Item key={name} component="a" {...leaving(href)} leftSection={<span className={classes.noIcon} />}>
          {t(`links.${name}`)}
        </Menu.Item>
      ))}
      {withSettings && (
        <>
          <Menu.Divider role="separator" />
          {appearances.map(({ scheme, icon: Icon, label }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              checked={scheme === colorScheme}
              closeMenuOnClick
              rightSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}
              onChange={() => setColorScheme(scheme)}
            >
              {t(label)}
            </Menu.RadioItem>
          ))}
        </>
      )}
      <Menu.Divider role="separator" />
      <Menu.Item
        leftSection={<IconLogout size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => void actions.signOut(account)}
      >
        {t('shell.signOut')}
      </Menu.Item>
      {accounts.length > 1 && (
        <Menu.Item leftSection={<span className={classes.noIcon} />} onClick={actions.signOutAll}>
          {t('accounts.signOutAll', { count: accounts.length })}
        </Menu.Item>
      )}
    </OpenMenu>
  )
}
