import { Notice } from '@atoll/ui'
import { Loader } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSecondsUntil } from '../../approval/use-seconds-until.ts'
import { requireUnlocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import { Did } from '../../identities/Did.tsx'
import classes from '../../identities/Register.module.css'
import { useRegistration } from '../../identities/use-registration.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'
import { useGoOn } from '../../sign/use-go-on.ts'

export const Route = createFileRoute('/new/register/$did')({ beforeLoad: requireUnlocked, component: Register })

function Register() {
  const t = useText()
  const { did } = Route.useParams()
  const navigate = useNavigate()
  const { goOn } = useGoOn()
  const { registration, tryNow } = useRegistration(did)
  const seconds = useSecondsUntil(registration.kind === 'down' ? registration.nextAt : 0)
  useEffect(() => {
    if (registration.kind === 'done') void navigate({ to: '/bind/$did', params: { did }, replace: true })
  }, [registration.kind, did, navigate])
  const stuck = registration.kind === 'down' || registration.kind === 'refused'
  return (
    <Screen
      heading={t('register.title')}
      lead={t('register.working')}
      actions={
        stuck && (
          <>
            <BigButton variant="filled" onClick={tryNow}>
              {t('act.tryNow')}
            </BigButton>
            <BigButton variant="subtle" onClick={goOn}>
              {t('register.skip')}
            </BigButton>
          </>
        )
      }
    >
      <Did value={did} full />
      <div className={classes.state}>
        {!stuck && <Loader size={22} color="var(--atoll-accent-line)" role="status" aria-label={t('register.title')} />}
        {registration.kind === 'down' && (
          <Notice tone="amber" title={t('register.down')} role="status">
            {t('register.downNext', { seconds })}
          </Notice>
        )}
        {registration.kind === 'refused' && (
          <Notice tone="coral" title={t('register.refused')} role="alert">
            {registration.message || t('register.refusedSilent')}
          </Notice>
        )}
      </div>
    </Screen>
  )
}
