import { Meter } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import classes from './SpaceUsed.module.css'

interface SpaceUsedProps {
  /** Bytes. */
  used: number
  free: number
}

/** How full the drive is. */
export function SpaceUsed({ used, free }: SpaceUsedProps) {
  const t = useText()
  const locale = currentLocale()
  const words = t('drive.space', { used: formatBytes(used, locale), free: formatBytes(free, locale) })
  return (
    <div className={classes.space}>
      <div className={classes.meter}>
        <Meter share={used + free > 0 ? used / (used + free) : 0} label={words} height={4} />
      </div>
      <span className="num">{words}</span>
    </div>
  )
}
