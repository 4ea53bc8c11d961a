import { Meter } from '@atoll/ui'
import { formatHardware } from '@atoll/ui/i18n'
import { useClusterList, useInit } from '../../data/home-queries.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'

interface RoomAfterProps {
  clusterId: string
  /** Bytes that are added to the present ones; null: unknown. */
  bytes: number | null
}

/** How full the disk of a cluster is once files are back on it; nothing where it has not said how full it is. */
export function RoomAfter({ clusterId, bytes }: RoomAfterProps) {
  const t = useText()
  const locale = useLocale()
  const latest = useClusterList(useInit().data).data?.find((each) => each.clusterId === clusterId)?.latest
  if (!latest || latest.diskTotal <= 0 || bytes === null) return null
  const after = latest.diskUsed + bytes
  const lacks = after > latest.diskTotal
  const figures = { used: formatHardware(after, locale), total: formatHardware(latest.diskTotal, locale) }
  return (
    <div className={classes.room}>
      <p className={classes.roomWords}>
        <span className="quiet">{t('backups.roomAfter')}</span>
        <span className="num">{t('backups.roomOf', figures)}</span>
      </p>
      <Meter
        share={after / latest.diskTotal}
        label={t('common.labelled', { label: t('backups.roomAfter'), value: t('backups.roomOf', figures) })}
      />
      {lacks && (
        <p className={classes.problem}>
          {t('backups.roomLacks', { size: formatHardware(after - latest.diskTotal, locale) })}
        </p>
      )}
    </div>
  )
}
