import type { Observed } from '@atoll/contract/personal-server'
import { Meter } from '@atoll/ui'
import { formatHardware, formatPercent } from '@atoll/ui/i18n'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import classes from './Status.module.css'

interface StatusMetersProps {
  metrics: Observed['metrics']
}

/** Processor, memory and disk: how much of each is in use. */
export function StatusMeters({ metrics }: StatusMetersProps) {
  const t = useText()
  const locale = currentLocale()
  const part = (used: number, total: number) => ({
    share: total > 0 ? used / total : 0,
    detail: t('status.ofTotal', { used: formatHardware(used, locale), total: formatHardware(total, locale) }),
  })
  const meters = [
    { key: 'processor', share: metrics.cpu, detail: '' },
    { key: 'memory', ...part(metrics.memoryUsed, metrics.memoryTotal) },
    { key: 'disk', ...part(metrics.diskUsed, metrics.diskTotal) },
  ] as const
  return (
    <ul className={classes.meters}>
      {meters.map(({ key, share, detail }) => (
        <li key={key} className={classes.meter}>
          <h2 className={classes.label}>{t(`status.${key}`)}</h2>
          <p className={classes.figure}>{formatPercent(share, locale)}</p>
          <Meter share={share} label={`${t(`status.${key}`)} ${formatPercent(share, locale)}`} />
          <p className={classes.detail}>{detail}</p>
        </li>
      ))}
    </ul>
  )
}
