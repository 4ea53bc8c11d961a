import { useIsNarrow } from '../../../kit/browser/use-is-narrow.ts'
import type { Account } from '../../../session/account.ts'
import { AccountMenu } from '../../account-menu/AccountMenu.tsx'
import { AppearanceMenu } from '../../account-menu/AppearanceMenu.tsx'
import { LanguageMenu } from '../../account-menu/LanguageMenu.tsx'
import { loadPalette } from '../../palette/Commands.tsx'
import { Brand } from './Brand.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { CreateLink } from './CreateLink.tsx'
import { NewsButton } from './NewsButton.tsx'
import { SearchButton } from './SearchButton.tsx'
import classes from './TopBar.module.css'

interface TopBarProps {
  account: Account
  /** Opens the command palette. */
  onSearch: () => void
}

/**
 * The header: where one is, search, news, language, appearance, account. On a phone: mark, search, create, news,
 * account.
 */
export function TopBar({ account, onSearch }: TopBarProps) {
  const isNarrow = useIsNarrow()
  return (
    <header className={classes.bar}>
      {isNarrow ? (
        <div className={classes.brand}>
          <Brand />
        </div>
      ) : (
        <div className={classes.trail}>
          <Breadcrumb />
        </div>
      )}
      <SearchButton onOpen={onSearch} onIntent={preload} />
      {isNarrow ? (
        <>
          <CreateLink />
          <NewsButton />
        </>
      ) : (
        <>
          <NewsButton />
          <LanguageMenu />
          <AppearanceMenu />
        </>
      )}
      {!account.look && <AccountMenu account={account} form={isNarrow ? 'icon' : 'wide'} />}
    </header>
  )
}

/** So that it is there when the button is pressed; without a network it is tried again then. */
function preload(): void {
  loadPalette().catch(() => undefined)
}
