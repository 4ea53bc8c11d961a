import { Did } from '@atoll/contract/wire'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { findAccount } from '../../../session/account-store.ts'
import { LoginPage } from '../../../signin/LoginPage.tsx'
import { loginSearch } from '../../../signin/login-search.ts'
import { WelcomeBack } from '../../../signin/WelcomeBack.tsx'

export const Route = createFileRoute('/login/$did')({
  validateSearch: loginSearch,
  beforeLoad: ({ params, search }) => {
    // A code that asks for what is no DID can be approved by nobody.
    if (!Did.safeParse(params.did).success) throw redirect({ to: '/login', search, replace: true })
  },
  component: LoginAgain,
})

function LoginAgain() {
  const { did } = Route.useParams()
  const { redirect } = Route.useSearch()
  return (
    <LoginPage key={did} did={did} redirect={redirect}>
      <WelcomeBack did={did} account={findAccount(did)} redirect={redirect} />
    </LoginPage>
  )
}
