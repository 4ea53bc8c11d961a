import type { ReactNode } from 'react'
import { serverNow } from '../config/runtime-config.ts'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useText } from '../locales/text.ts'
import { isExpired } from '../session/account.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import { LoginFrame } from './LoginFrame.tsx'
import { SignInPanel } from './SignInPanel.tsx'
import { SignInSteps } from './SignInSteps.tsx'
import { useSignIn } from './use-sign-in.ts'

interface LoginPageProps {
  /** The known account that signs in again. */
  did?: string
  redirect: string | undefined
  /** Beside the code: what a known account is told; the steps of signing in otherwise. */
  children?: ReactNode
}

/** Sign in by scanning a code. Spec §2, `/login` and `/login/{did}`. */
export function LoginPage({ did, redirect, children }: LoginPageProps) {
  const t = useText()
  const signIn = useSignIn(did, redirect)
  usePageTitle(t('login.documentTitle'))
  // Someone who is signed in came to add an account; the way back stays open.
  const current = useCurrentAccount()
  const isSignedIn = current !== undefined && !isExpired(current, serverNow()) && signIn.state !== 'approved'
  return (
    <LoginFrame host={signIn.host}>
      {children ?? <SignInSteps current={isSignedIn ? current : undefined} signIn={signIn} />}
      <SignInPanel signIn={signIn} />
    </LoginFrame>
  )
}
