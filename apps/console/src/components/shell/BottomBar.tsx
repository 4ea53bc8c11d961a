import { Link } from '@tanstack/react-router'
import type { Account } from '../../accounts/account.ts'
import { useText } from '../../i18n/text.ts'
import { AccountMenu } from './AccountMenu.tsx'
import classes from './BottomBar.module.css'
import { createDestination, mainDestinations } from './destinations.ts'
import { useHere } from './use-here.ts'

interface BottomBarProps {
  account: Account
}

/** The sidebar of a phone. */
export function BottomBar({ account }: BottomBarProps) {
  const t = useText()
  const here = useHere()
  return (
    <nav className={classes.bar} aria-label={t('shell.navigation')}>
      {[...mainDestinations, createDestination].map(({ to, label, icon: Icon, holds }) => (
        <Link
          key={to}
          to={to}
          className={classes.item}
          activeOptions={{ exact: true }}
          data-within={(holds !== undefined && holds === here) || undefined}
        >
          <Icon size={22} stroke={1.8} aria-hidden="true" />
          {t(label)}
        </Link>
      ))}
      <AccountMenu account={account} form="tab" />
    </nav>
  )
}
