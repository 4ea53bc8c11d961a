import classes from './Meter.module.css'

interface MeterProps {
  /** 0 to 1 of the quota; above 1 is over it. */
  share: number
  /** The measure and its value, for assistive technology. */
  label: string
  /** 6 alone, 4 inline. px */
  height?: number
  /** A last known value: grey. */
  stale?: boolean
  /** Of work that is to be done, and no quota: it may well be full. */
  progress?: boolean
}

/** Below 80 % accent, to 100 % amber, above: accent to the quota and a coral hatch beyond. */
export function Meter({ share, label, height = 6, stale = false, progress = false }: MeterProps) {
  const known = Math.max(0, share)
  const over = known > 1
  const filled = over ? 100 / known : known * 100
  const tone = stale ? 'stale' : known >= 0.8 && !over && !progress ? 'near' : 'fine'
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> draws itself and cannot show what lies over the quota
    <div
      className={classes.meter}
      style={{ height }}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(100, Math.round(known * 100))}
      aria-valuenow={Math.round(known * 100)}
      aria-valuetext={label}
    >
      <i className={classes.fill} data-tone={tone} style={{ width: `${filled}%` }} />
      {over && <i className={classes.over} style={{ width: `calc(${100 - filled}% - 2px)` }} />}
    </div>
  )
}
