import { Notice } from '@atoll/ui'
import { Loader } from '@mantine/core'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { registerDid } from '../../api/identity-service.ts'
import { identityHost } from '../../api/runtime-config.ts'
import { BigButton } from '../../components/BigButton.tsx'
import { Did } from '../../components/Did.tsx'
import { Screen } from '../../components/Screen.tsx'
import { useSecondsUntil } from '../../components/use-seconds-until.ts'
import { requireUnlocked } from '../../guard.ts'
import { recordSignature } from '../../history/signature-log.ts'
import { useText } from '../../i18n/text.ts'
import { keychain } from '../../keys/use-keychain.ts'

export const Route = createFileRoute('/new/register/$did')({ beforeLoad: requireUnlocked, component: Register })

type Attempt = { kind: 'working' } | { kind: 'down'; nextAt: number } | { kind: 'refused'; message: string }

/** ms before the n-th retry; the last repeats. */
const retryDelays = [3000, 6000, 12_000, 30_000]

function Register() {
  const t = useText()
  const { did } = Route.useParams()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState<Attempt>({ kind: 'working' })
  const [failures, setFailures] = useState(0)
  const seconds = useSecondsUntil(attempt.kind === 'down' ? attempt.nextAt : 0)

  const tryOnce = useCallback(async () => {
    setAttempt({ kind: 'working' })
    const outcome = await registerDid(keychain, did)
    if (outcome.kind === 'refused') return setAttempt(outcome)
    if (outcome.kind === 'ok') {
      recordSignature(localStorage, { at: Date.now(), kind: 'registered', host: hostName(), did })
      return navigate({ to: '/bind/$did', params: { did }, replace: true })
    }
    setFailures((count) => count + 1)
    setAttempt({ kind: 'down', nextAt: Date.now() + (retryDelays[Math.min(failures, retryDelays.length - 1)] ?? 0) })
  }, [did, failures, navigate])

  useEffect(() => void tryOnce(), [did])
  useEffect(() => {
    if (attempt.kind !== 'down') return
    const timer = setTimeout(() => void tryOnce(), attempt.nextAt - Date.now())
    return () => clearTimeout(timer)
  }, [attempt, tryOnce])

  const goOn = () => void navigate({ to: '/' })
  return (
    <Screen
      heading={t('register.title')}
      lead={t('register.working')}
      actions={
        attempt.kind !== 'working' && (
          <>
            <BigButton variant="filled" onClick={() => void tryOnce()}>
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
      <div style={{ marginTop: 24 }}>
        {attempt.kind === 'working' && (
          <Loader size={22} color="var(--atoll-accent-line)" aria-label={t('register.title')} />
        )}
        {attempt.kind === 'down' && (
          <Notice tone="amber" title={t('register.down')} role="status">
            {t('register.downNext', { seconds })}
          </Notice>
        )}
        {attempt.kind === 'refused' && (
          <Notice tone="coral" title={t('register.refused')} role="alert">
            {attempt.message}
          </Notice>
        )}
      </div>
    </Screen>
  )
}

function hostName(): string {
  return URL.parse(identityHost())?.host ?? ''
}
