import type { Resource } from '@atoll/contract/clusters'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatAgo, formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'
import offline from './OfflineSection.module.css'

/**
 * A host that went offline: since when, what that means, and what to check, the likeliest first.
 */
export function OfflineSection({ cluster: { latest, url } }: { cluster: Resource }) {
  const t = useText()
  const locale = useLocale()
  useNow(10_000)
  return (
    <section className="box clip" aria-labelledby="offline">
      <div className={classes.cardHeader}>
        <h2 id="offline">{t('offline.title')}</h2>
        {latest && (
          <span className={classes.cardNote}>
            {t('offline.heard', {
              time: formatTime(latest.at, serverNow(), locale),
              ago: formatAgo(latest.at, serverNow(), locale),
            })}
          </span>
        )}
      </div>
      <div className={offline.body}>
        <p>{t(url ? 'offline.meaning' : 'offline.meaningNoAddress')}</p>
        <ol className={offline.checks}>
          <li>{t('offline.checkPower')}</li>
          <li>{t('offline.checkNetwork')}</li>
          <li>{t('offline.checkAgent')}</li>
        </ol>
      </div>
    </section>
  )
}
