import { type DomainDetail, type DomainHttps, domainHttpsRetry } from '@atoll/contract/domains'
import { Notice, StateBadge, stateLook } from '@atoll/ui'
import { serverNow } from '../config/runtime-config.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { formatDeadline } from '../kit/format/deadlines.ts'
import { formatTime } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './Detail.module.css'

const looks = {
  off: { colour: 'grey', shape: 'hollow' },
  none: { colour: 'grey', shape: 'hollow' },
  waiting: { colour: 'amber', shape: 'ring' },
  valid: { colour: 'green', shape: 'disc' },
  expired: { colour: 'coral', shape: 'disc' },
} as const satisfies Record<DomainHttps['state'], object>

/** Where HTTPS of a domain stands, in a word or two; `named` where nothing else says what that is about. */
export function HttpsState({
  https: { state },
  named = false,
}: {
  https: Pick<DomainHttps, 'state'>
  named?: boolean
}) {
  const t = useText()
  const word = t(`domains.https.${state}`)
  return (
    <StateBadge {...stateLook(looks, state)} bare>
      {named ? t('domains.https.named', { state: word }) : word}
    </StateBadge>
  )
}

/** Until when, and what comes next, in small. */
export function HttpsAbout({ https: { state, validUntil, problem } }: { https: DomainHttps }) {
  const t = useText()
  const locale = useLocale()
  const time = validUntil === null ? '' : formatDeadline(validUntil, serverNow(), locale)
  return t(`domains.https.about.${state === 'valid' && problem ? 'late' : state}`, { time })
}

/** Why a certificate is not there or is not renewed, whose fault that is, since when, and when it is tried again. */
export function HttpsNotice({ detail: { https, domain, shown } }: { detail: DomainDetail }) {
  const t = useText()
  const locale = useLocale()
  const retry = useCallMutation(domainHttpsRetry, { toast: true })
  const { state, problem, actions } = https
  if (!problem) return null
  const now = serverNow()
  const params = { domain: shown }
  return (
    <Notice
      tone={state === 'expired' ? 'coral' : 'amber'}
      role="status"
      title={t(`domains.https.problem.${problem.key}`, params)}
      action={
        actions.includes('retry') && (
          <ChangeButton size="xs" loading={retry.isPending} onClick={() => retry.mutate({ domain })}>
            {t('domains.https.retry')}
          </ChangeButton>
        )
      }
    >
      {t(`domains.https.help.${problem.key}`, params)}
      {problem.fault && <span className={classes.said}>{t(`domains.https.fault.${problem.fault}`)}</span>}
      {problem.detail && (
        <span className={classes.said}>
          {t('domains.https.said')} <code>{problem.detail}</code>
        </span>
      )}
      <span className={classes.tried}>
        {t('domains.https.tried', {
          since: formatTime(problem.since, now, locale),
          next: formatTime(problem.nextAt, now, locale),
        })}
      </span>
    </Notice>
  )
}
