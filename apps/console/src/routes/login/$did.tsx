import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../../pages/login/LoginPage.tsx'
import { loginSearch } from '../../pages/login/login-search.ts'

export const Route = createFileRoute('/login/$did')({ validateSearch: loginSearch, component: LoginAgain })

function LoginAgain() {
  const { did } = Route.useParams()
  return <LoginPage key={did} did={did} redirect={Route.useSearch().redirect} />
}
