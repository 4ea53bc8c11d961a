import { signInCodeLifetimeMs, walletLink } from '@atoll/contract'
import { ApprovedMark, Contours, Notice, SignInCode, useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { formatStopwatch } from '../../format/stopwatch.ts'
import { useText } from '../../i18n/text.ts'
import classes from './SignInPanel.module.css'
import type { SignIn } from './use-sign-in.ts'

/** Below this the ring turns amber, ms. */
const urgentMs = 20_000

interface SignInPanelProps {
  signIn: SignIn
}

/** The code, large, with its countdown; under it the time left and a way to take the code along without a camera. */
export function SignInPanel({ signIn }: SignInPanelProps) {
  const t = useText()
  const clipboard = useCopy()
  const walletUrl = runtimeConfig().walletUrl.replace(/\/+$/, '')
  const { state, leftMs } = signIn
  // Seconds are shown rounded up, so that the code goes when the figure does.
  const left = formatStopwatch(Math.ceil(leftMs / 1000) * 1000)
  return (
    <section className={classes.panel} aria-label={t('login.code')}>
      <Contours className={classes.contours} />
      <SignInCode
        value={signIn.codeText}
        state={state}
        left={leftMs / signInCodeLifetimeMs}
        urgent={leftMs < urgentMs}
        label={t('login.code')}
      >
        {state === 'approved' && (
          <>
            <ApprovedMark />
            <span className={classes.done}>{t('login.scanned')}</span>
          </>
        )}
        {state === 'expired' && (
          <>
            <span>{t('login.expired')}</span>
            <Button variant="filled" leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={signIn.refresh}>
              {t('login.refresh')}
            </Button>
          </>
        )}
      </SignInCode>
      <div className={classes.foot}>
        {state === 'waiting' && (
          <div>
            <Button
              size="xs"
              leftSection={
                clipboard.state === 'copied' ? (
                  <IconCheck size={15} stroke={2.2} />
                ) : (
                  <IconCopy size={15} stroke={1.6} aria-hidden="true" />
                )
              }
              onClick={() => clipboard.copy(signIn.codeText)}
            >
              {clipboard.state === 'copied' ? t('login.copiedCode') : t('login.copyCode')}
            </Button>
            <a className={classes.here} href={walletLink(walletUrl, signIn.codeText)} target="_blank" rel="noopener">
              {t('login.openHere')}
            </a>
          </div>
        )}
        <div className={classes.time} role="timer" aria-label={t('login.expiresIn')}>
          <div className={classes.caption}>{t('login.expiresIn')}</div>
          <div className={classes.seconds} data-urgent={leftMs < urgentMs || undefined}>
            {left}
          </div>
        </div>
      </div>
      <div className={classes.announce} role="status">
        {state === 'approved' && t('login.scanned')}
        {state === 'expired' && t('login.expired')}
      </div>
      {clipboard.state === 'failed' && (
        <Notice tone="amber" role="status" title={t('common.copyFailed')}>
          <code className={classes.text}>{signIn.codeText}</code>
        </Notice>
      )}
      {signIn.failure && state === 'waiting' && <Notice tone="coral" role="status" title={signIn.failure.message} />}
    </section>
  )
}
