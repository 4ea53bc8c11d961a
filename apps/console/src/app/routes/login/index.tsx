import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../../../signin/LoginPage.tsx'
import { loginSearch } from '../../../signin/login-search.ts'

export const Route = createFileRoute('/login/')({ validateSearch: loginSearch, component: Login })

function Login() {
  return <LoginPage redirect={Route.useSearch().redirect} />
}
