import { shorten } from '@atoll/contract/wire'
import { IconLogout, IconUserCircle, IconUserPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useAccountActions } from '../../account-list/use-account-actions.ts'
import { useText } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { useStoredAccounts } from '../../session/account-store.ts'
import { useAccountName } from '../../session/use-account-name.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'

/** Go on as another account of this browser, add one, or leave. */
export function PaletteAccounts({ account }: { account: Account }) {
  const t = useText()
  const navigate = useNavigate()
  const actions = useAccountActions()
  const nameOf = useAccountName()
  const others = useStoredAccounts().filter(({ userid }) => userid !== account.userid)
  return (
    <PaletteGroup title={t('shell.account')}>
      {others.map((other) => (
        <PaletteOption
          key={other.userid}
          icon={IconUserCircle}
          label={t('palette.switchTo', { name: nameOf(other) })}
          hint={shorten(other.userid)}
          keywords={other.userid}
          onSelect={() => void actions.switchTo(other)}
        />
      ))}
      <PaletteOption icon={IconUserPlus} label={t('accounts.add')} onSelect={() => void navigate({ to: '/login' })} />
      <PaletteOption icon={IconLogout} label={t('shell.signOut')} onSelect={() => void actions.signOut(account)} />
    </PaletteGroup>
  )
}
