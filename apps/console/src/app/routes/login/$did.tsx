import { Did } from '@atoll/contract/wire'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginPage } from '../../../signin/LoginPage.tsx'
import { loginSearch } from '../../../signin/login-search.ts'

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
  return <LoginPage key={did} did={did} redirect={Route.useSearch().redirect} />
}
