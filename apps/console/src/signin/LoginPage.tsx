import { serverNow } from '../config/runtime-config.ts'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useText } from '../locales/text.ts'
import { isExpired } from '../session/account.ts'
import { findAccount, useCurrentAccount } from '../session/account-store.ts'
import { LoginFrame } from './LoginFrame.tsx'
import { SignInPanel } from './SignInPanel.tsx'
import { SignInSteps } from './SignInSteps.tsx'
import { useSignIn } from './use-sign-in.ts'
import { WelcomeBack } from './WelcomeBack.tsx'

interface LoginPageProps {
  /** The known account that signs in again. */
  did?: string
  redirect: string | undefined
}

/** Sign in by scanning a code. Spec §2, `/login` and `/login/{did}`. */
export function LoginPage({ did, redirect }: LoginPageProps) {
  const t = useText()
  const signIn = useSignIn(did, redirect)
  usePageTitle(t('login.documentTitle'))
  // Someone who is signed in came to add an account; the way back stays open.
  const current = useCurrentAccount()
  const isSignedIn = current !== undefined && !isExpired(current, serverNow()) && signIn.state !== 'approved'
  return (
    <LoginFrame host={signIn.host}>
      {did ? (
        <WelcomeBack did={did} account={findAccount(did)} redirect={redirect} />
      ) : (
        <SignInSteps current={isSignedIn ? current : undefined} signIn={signIn} />
      )}
      <SignInPanel signIn={signIn} />
    </LoginFrame>
  )
}
