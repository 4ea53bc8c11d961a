import { createFileRoute } from '@tanstack/react-router'
import { AccountListPage } from '../../account-list/AccountListPage.tsx'
import { loginSearch } from '../../signin/login-search.ts'

/** Neither header nor authentication (spec §2). */
export const Route = createFileRoute('/accountList')({ validateSearch: loginSearch, component: AccountList })

function AccountList() {
  return <AccountListPage redirect={Route.useSearch().redirect} />
}
