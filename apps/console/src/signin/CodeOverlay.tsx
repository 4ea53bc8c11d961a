import { ApprovedMark } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useText } from '../locales/text.ts'
import classes from './SignInPanel.module.css'
import type { SignIn } from './use-sign-in.ts'

interface CodeOverlayProps {
  signIn: SignIn
}

/** The layer over the code once it cannot be scanned: the event, and the button that helps. */
export function CodeOverlay({ signIn: { state, matchNumber, refresh, showAgain } }: CodeOverlayProps) {
  const t = useText()
  if (state === 'waiting') return null
  if (state === 'approved' || state === 'scanned')
    return (
      <>
        <ApprovedMark />
        <span className={classes.done}>{t('login.scanned')}</span>
        {state === 'scanned' && matchNumber && (
          <>
            <span className={classes.next}>{t('login.typeOnPhone', { number: matchNumber })}</span>
            <Button size="xs" variant="subtle" className={classes.again ?? ''} onClick={showAgain}>
              {t('login.showAgain')}
            </Button>
          </>
        )}
      </>
    )
  return (
    <>
      <span>{t(state === 'burnt' ? 'login.wrongNumber' : 'login.expired')}</span>
      {state === 'burnt' && <span className={classes.next}>{t('login.wrongNumberHelp')}</span>}
      <Button variant="filled" leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={refresh}>
        {t('login.refresh')}
      </Button>
    </>
  )
}
