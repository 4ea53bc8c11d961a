import { IconCirclePlus, IconCircles } from '@tabler/icons-react'
import { Link, useMatchRoute } from '@tanstack/react-router'
import type { Account } from '../../accounts/account.ts'
import { useText } from '../../i18n/text.ts'
import { AccountMenu } from './AccountMenu.tsx'
import classes from './BottomBar.module.css'

interface BottomBarProps {
  account: Account
}

/** The sidebar of a phone. */
export function BottomBar({ account }: BottomBarProps) {
  const t = useText()
  const inCluster = useMatchRoute()({ to: '/cluster/$clusterId' }) !== false
  return (
    <nav className={classes.bar} aria-label={t('shell.navigation')}>
      <Link to="/" className={classes.item} activeOptions={{ exact: true }} data-within={inCluster || undefined}>
        <IconCircles size={22} stroke={1.8} aria-hidden="true" />
        {t('shell.clusters')}
      </Link>
      <Link to="/create/{-$uid}" className={classes.item}>
        <IconCirclePlus size={22} stroke={1.8} aria-hidden="true" />
        {t('shell.create')}
      </Link>
      <AccountMenu account={account} form="tab" />
    </nav>
  )
}
