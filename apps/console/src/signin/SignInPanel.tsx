import { signInCodeLifetimeMs } from '@atoll/contract/wire'
import { Contours, Notice, SignInCode, useCopy } from '@atoll/ui'
import { Button, UnstyledButton } from '@mantine/core'
import { useIsPhone } from '../kit/browser/use-is-narrow.ts'
import { useText } from '../locales/text.ts'
import { CodeFoot } from './CodeFoot.tsx'
import { CodeOverlay } from './CodeOverlay.tsx'
import { OtherScreen } from './OtherScreen.tsx'
import classes from './SignInPanel.module.css'
import type { SignIn } from './use-sign-in.ts'
import { toWallet } from './wallet-link.ts'

/** Below this the ring turns amber, ms. */
const urgentMs = 20_000

interface SignInPanelProps {
  signIn: SignIn
}

/**
 * The code, large, with its countdown and its number; under it ways to take the code along without a camera. A phone
 * cannot scan itself: there the web wallet comes first, and the code is folded away.
 */
export function SignInPanel({ signIn }: SignInPanelProps) {
  const t = useText()
  const clipboard = useCopy()
  const { state, leftMs, refused } = signIn
  const urgent = leftMs < urgentMs
  const isPhone = useIsPhone()
  const link = toWallet(signIn)
  const code = (
    <>
      <SignInCode
        value={signIn.codeText}
        state={state === 'burnt' ? 'expired' : state}
        left={leftMs / signInCodeLifetimeMs}
        urgent={urgent}
        label={t('login.code')}
      >
        {state !== 'waiting' && <CodeOverlay signIn={signIn} />}
      </SignInCode>
      <CodeFoot signIn={signIn} urgent={urgent}>
        <UnstyledButton className={classes.way} onClick={() => clipboard.copy(signIn.codeText)}>
          {clipboard.state === 'copied' ? t('login.copiedCode') : t('login.copyCode')}
        </UnstyledButton>
        {!isPhone && (
          <a className={classes.way} {...link}>
            {t('login.openHere')}
          </a>
        )}
      </CodeFoot>
    </>
  )
  return (
    <section className={classes.panel} aria-label={t('login.code')}>
      <Contours className={classes.contours} />
      {isPhone ? (
        <>
          {state === 'waiting' && (
            <Button component="a" variant="filled" size="lg" {...link}>
              {t('login.openOnPhone')}
            </Button>
          )}
          <OtherScreen isNeeded={state !== 'waiting'}>{code}</OtherScreen>
        </>
      ) : (
        code
      )}
      <div className={classes.announce} role="status">
        {(state === 'approved' || state === 'scanned') && t('login.scanned')}
        {state === 'expired' && t('login.expired')}
        {state === 'burnt' && t('login.wrongNumber')}
      </div>
      {clipboard.state === 'failed' && (
        <Notice tone="amber" role="status" title={t('common.copyFailed')}>
          <code className={classes.text}>{signIn.codeText}</code>
        </Notice>
      )}
      {refused === 'otherDid' && (
        <Notice tone="coral" role="alert" title={t('login.otherDid')}>
          {t('login.otherDidHelp')}
        </Notice>
      )}
      {refused === 'declined' && <Notice tone="neutral" role="status" title={t('login.declined')} />}
      {signIn.failure && state === 'waiting' && <Notice tone="coral" role="status" title={signIn.failure.message} />}
    </section>
  )
}
