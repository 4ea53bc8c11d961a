import { useNavigate } from '@tanstack/react-router'
import { productName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { Screen } from '../kit/screens/Screen.tsx'
import type { Reading } from '../sign/reading.ts'
import classes from './UnreadableCode.module.css'

interface UnreadableCodeProps {
  reason: Extract<Reading, { kind: 'unknown' }>['reason']
  /** The text that was read. */
  text: string
  onScanAgain(): void
}

/** A code that asks for no signature: says what it is instead, and shows it. */
export function UnreadableCode({ reason, text, onScanAgain }: UnreadableCodeProps) {
  const t = useText()
  const navigate = useNavigate()
  const shown = text.length > 400 ? `${text.slice(0, 400)}…` : text
  return (
    <Screen
      heading={t('reading.title')}
      lead={t(`reading.${reason}`, { product: productName() })}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <>
          <BigButton variant="filled" onClick={onScanAgain}>
            {t('act.scanAgain')}
          </BigButton>
          <BigButton variant="subtle" onClick={() => void navigate({ to: '/' })}>
            {t('act.close')}
          </BigButton>
        </>
      }
    >
      {shown && (
        <figure>
          <figcaption className={classes.caption}>{t('reading.content')}</figcaption>
          <p className={classes.content} translate="no">
            {shown}
          </p>
        </figure>
      )}
    </Screen>
  )
}
