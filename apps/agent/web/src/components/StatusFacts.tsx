import type { Observed, Status } from '@atoll/contract/personal-server'
import { StatusDot } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import classes from './Status.module.css'

interface StatusFactsProps {
  status: Status
  observed: Observed
}

/** Facts about this server: owner, place, version, and since when. */
export function StatusFacts({ status, observed }: StatusFactsProps) {
  const t = useText()
  const durationText = useDurationText()
  const locale = currentLocale()
  const { metrics, upMs, connected } = observed
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('status.id')}</dt>
        <dd>{status.terminusName ?? '–'}</dd>
      </div>
      <div>
        <dt>{t('status.address')}</dt>
        <dd>{location.host}</dd>
      </div>
      <div>
        <dt>{t('status.version')}</dt>
        <dd>{status.version ? `${status.product} ${status.version}` : '–'}</dd>
      </div>
      <div>
        <dt>{t('status.uptime')}</dt>
        <dd className="num">{durationText(upMs)}</dd>
      </div>
      <div>
        <dt>{t('status.console')}</dt>
        <dd className={classes.link}>
          <StatusDot colour={connected ? 'green' : 'grey'} shape={connected ? 'disc' : 'hollow'} />
          {t(connected ? 'status.connected' : 'status.disconnected')}
        </dd>
      </div>
      <div>
        <dt>{t('status.network')}</dt>
        <dd className="num">
          {t('status.received', { size: formatBytes(metrics.netIn, locale) })} ·{' '}
          {t('status.sent', { size: formatBytes(metrics.netOut, locale) })}
        </dd>
      </div>
    </dl>
  )
}

/** ms as its two largest units: `3 days, 4 hours`. */
function useDurationText(): (ms: number) => string {
  const t = useText()
  return (ms) => {
    const whole = Math.floor(ms / 60_000)
    const [days, hours, minutes] = [Math.floor(whole / 1440), Math.floor(whole / 60) % 24, whole % 60]
    const two = (first: string, second: string) => t('duration.two', { first, second })
    if (days > 0) return two(t('duration.days', { count: days }), t('duration.hours', { count: hours }))
    if (hours > 0) return two(t('duration.hours', { count: hours }), t('duration.minutes', { count: minutes }))
    return minutes > 0 ? t('duration.minutes', { count: minutes }) : t('duration.short')
  }
}
