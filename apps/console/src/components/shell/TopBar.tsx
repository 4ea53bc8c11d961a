import type { Account } from '../../accounts/account.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AppearanceMenu } from './AppearanceMenu.tsx'
import { Brand } from './Brand.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import classes from './TopBar.module.css'

interface TopBarProps {
  account: Account
}

/** The header: where one is, language, appearance, account. On a phone the mark, and the account is in the bottom bar. */
export function TopBar({ account }: TopBarProps) {
  return (
    <header className={classes.bar}>
      <div className={classes.trail}>
        <Breadcrumb userid={account.userid} />
      </div>
      <div className={classes.brand}>
        <Brand />
      </div>
      <LanguageMenu />
      <AppearanceMenu />
      <div className={classes.account}>
        <AccountMenu account={account} form="wide" />
      </div>
    </header>
  )
}
