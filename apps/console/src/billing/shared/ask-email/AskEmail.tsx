import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useInit } from '../../../data/home-queries.ts'
import { keepInTab, readFromTab } from '../../../kit/browser/tab-storage.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../../locales/language.ts'
import { useText } from '../../../locales/text.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'
import classes from './AskEmail.module.css'

/** The forms and their words belong to the profile, and this opens over home too. */
const loadForms = () =>
  Promise.all([import('../../../profile/LinkEmail.tsx'), loadTextsBeyondHome()]).then(([{ LinkEmail }]) => LinkEmail)

interface AskEmailProps {
  /** It was put off, and is gone with the button that had the focus. */
  onPutOff: () => void
}

/**
 * Asks an account without an email for one before it pays. It can be put off, until this tab is closed, and nothing
 * that is ordered waits for it (billing.md).
 */
export function AskEmail({ onPutOff }: AskEmailProps) {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const email = useInit().data?.user.email
  const key = `emailLater:${userid}`
  const [isPutOff, setPutOff] = useState(() => readFromTab(key) !== undefined)
  // Undefined until it was opened once.
  const [isOpen, setOpen] = useState<boolean>()
  const linked = useRef<HTMLDivElement>(null)
  const isLinked = isOpen === true && typeof email === 'string'
  // The forms are gone with the button that had the focus.
  useEffect(() => {
    if (isLinked) linked.current?.focus()
  }, [isLinked])
  if (isLinked)
    return (
      <div ref={linked} tabIndex={-1}>
        <Notice tone="green" role="status" title={t('money.emailLinked', { email })} />
      </div>
    )
  if (email !== null || isPutOff) return null
  return (
    <section className={classes.ask} aria-label={t('money.emailAsk')}>
      <IconMail size={20} stroke={1.6} aria-hidden="true" />
      <div className={classes.words}>
        <b>{t('money.emailAsk')}</b>
        <span>{t('money.emailAskHelp')}</span>
      </div>
      {!isOpen && (
        <div className={classes.answers}>
          <ChangeButton size="xs" autoFocus={isOpen === false} onClick={() => setOpen(true)}>
            {t('money.emailLink')}
          </ChangeButton>
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              keepInTab(key, 'true')
              setPutOff(true)
              onPutOff()
            }}
          >
            {t('money.emailLater')}
          </Button>
        </div>
      )}
      {isOpen && (
        <div className={classes.forms}>
          <LazyPart
            load={loadForms}
            wanted
            onFailure={() => setOpen(false)}
            props={{ onCancel: () => setOpen(false) }}
          />
        </div>
      )}
    </section>
  )
}
