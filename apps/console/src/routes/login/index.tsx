import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '../../pages/login/LoginPage.tsx'
import { loginSearch } from '../../pages/login/login-search.ts'

export const Route = createFileRoute('/login/')({ validateSearch: loginSearch, component: Login })

function Login() {
  return <LoginPage redirect={Route.useSearch().redirect} />
}
