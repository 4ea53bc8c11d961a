import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { serverNow } from '../config/runtime-config.ts'
import { AloneList } from '../kit/page/AloneList.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useText } from '../locales/text.ts'
import { isExpired } from '../session/account.ts'
import { useCurrentAccount, useStoredAccounts } from '../session/account-store.ts'
import type { LoginSearch } from '../signin/login-search.ts'
import { AccountRow } from './AccountRow.tsx'
import { NoAccounts } from './NoAccounts.tsx'
import { useAccountActions } from './use-account-actions.ts'

interface AccountListPageProps {
  /** Where the account that is chosen goes on; a path of this site. */
  redirect: string | undefined
}

/** The accounts of this browser: go on as one, add one, sign out of one or all (spec §2, `/accountList`). */
export function AccountListPage({ redirect }: AccountListPageProps) {
  const t = useText()
  const accounts = useStoredAccounts()
  const current = useCurrentAccount()
  const actions = useAccountActions()
  usePageTitle(t('accounts.title'))
  const search: LoginSearch = redirect ? { redirect } : {}

  if (accounts.length === 0) return <NoAccounts redirect={redirect} />
  return (
    <AloneList
      title={t('accounts.title')}
      lead={t('accounts.lead')}
      actions={
        <>
          <Button
            renderRoot={(props) => <Link {...props} to="/login" search={search} />}
            leftSection={<IconUserPlus size={16} stroke={1.6} aria-hidden="true" />}
          >
            {t('accounts.add')}
          </Button>
          {accounts.length > 1 && (
            <Button variant="subtle" onClick={actions.signOutAll}>
              {t('accounts.signOutAll', { count: accounts.length })}
            </Button>
          )}
        </>
      }
    >
      <ul>
        {accounts.map((account) => (
          <AccountRow
            key={account.userid}
            account={account}
            current={account.userid === current?.userid}
            expired={isExpired(account, serverNow())}
            onChoose={() => void actions.switchTo(account, redirect ?? '/')}
            onSignOut={() => void actions.signOut(account)}
          />
        ))}
      </ul>
    </AloneList>
  )
}
