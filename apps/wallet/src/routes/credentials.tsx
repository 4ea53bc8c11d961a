import { StateBadge } from '@atoll/ui'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Host } from '../approval/Host.tsx'
import { type HeldCredential, listCredentials, payloadOf } from '../domains/credential-store.ts'
import { isRevoked } from '../domains/status-list.ts'
import { requireUnlocked } from '../guard.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatDeadline, formatMoment } from '../i18n/times.ts'
import { Did } from '../identities/Did.tsx'
import { FactRow, FactRows, FactStack } from '../kit/FactRows.tsx'
import { Screen } from '../kit/screens/Screen.tsx'

export const Route = createFileRoute('/credentials')({ beforeLoad: requireUnlocked, component: Credentials })

/** Credentials that this wallet holds, revoked ones too, as a record. */
function Credentials() {
  const t = useText()
  const [held] = useState(() => listCredentials(localStorage))
  return (
    <Screen
      heading={t('credentials.title')}
      lead={t(held.length === 0 ? 'credentials.none' : 'credentials.lead')}
      leave={{ icon: 'back', to: '/' }}
    >
      <FactStack>
        {held.map((credential) => (
          <Credential key={credential.jws} credential={credential} />
        ))}
      </FactStack>
    </Screen>
  )
}

const looks = {
  valid: { colour: 'green', shape: 'disc' },
  revoked: { colour: 'coral', shape: 'square' },
  expired: { colour: 'grey', shape: 'square' },
  unknown: { colour: 'grey', shape: 'hollow' },
  asking: { colour: 'grey', shape: 'ring' },
} as const
type Standing = keyof typeof looks

function Credential({ credential }: { credential: HeldCredential }) {
  const t = useText()
  const [standing, setStanding] = useState<Standing>('asking')
  useEffect(() => {
    let isLeft = false
    void isRevoked(credential).then((revoked) => {
      if (isLeft) return
      if (revoked === true) return setStanding('revoked')
      if (credential.until <= Date.now()) return setStanding('expired')
      setStanding(revoked === undefined ? 'unknown' : 'valid')
    })
    return () => {
      isLeft = true
    }
  }, [credential])
  const locale = currentLocale()
  return (
    <FactRows>
      <FactRow name={t('domain.domain')}>
        <b>
          <Host value={credential.domain} />
        </b>
      </FactRow>
      <FactRow name={t('credentials.standing')}>
        <StateBadge {...looks[standing]} bare>
          {t(`credentials.${standing}`)}
        </StateBadge>
      </FactRow>
      <FactRow name={t('credentials.at')}>
        <span className="num">{formatMoment(credential.at, locale)}</span>
      </FactRow>
      <FactRow name={t('domain.until')}>
        <span className="num">{formatDeadline(credential.until, locale)}</span>
      </FactRow>
      <FactRow name={t('credentials.issuer')}>
        <Did value={issuerOf(credential)} full />
      </FactRow>
      <FactRow name={t('approve.as')}>
        <Did value={credential.did} full />
      </FactRow>
    </FactRows>
  )
}

function issuerOf({ jws }: HeldCredential): string {
  const payload = payloadOf(jws)
  return typeof payload === 'object' && payload !== null && 'iss' in payload ? String(payload.iss) : ''
}
