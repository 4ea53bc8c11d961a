import { type Backup, backupSnapshots } from '@atoll/contract/backups'
import { mostRowsPerPage } from '@atoll/contract/wire'
import { useElementSize } from '@mantine/hooks'
import { useCall } from '../../data/use-call.ts'
import { useLocale, useText } from '../../locales/text.ts'
import backups from '../Backups.module.css'
import { ProofMark } from '../ProofCell.tsx'
import { formatDay } from '../plan-words.ts'
import classes from './SizeChart.module.css'
import { placeSizes, plot } from './size-chart.ts'

/** px */
const mark = 18

/** Size and new bytes of the newest runs, with what is proved (board 11). The table below says the same in figures. */
export function SizeChart({ backup: { backupId } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const { ref, width } = useElementSize()
  const { data } = useCall(backupSnapshots, { backupId, page: 1, rowsPerPage: mostRowsPerPage })
  const place = placeSizes(data?.snapshots ?? [], width, locale)
  // Without it nothing is missing: what it shows is in the table, which says why it did not load.
  if (data && !placeSizes(data.snapshots, 1, locale)) return null
  return (
    <section className="box" aria-labelledby="sizes">
      <div className={classes.head}>
        <h2 id="sizes">{t('backups.sizes')}</h2>
        <span className={classes.key} data-of="size">
          {t('backups.size')}
        </span>
        <span className={classes.key} data-of="new">
          {t('backups.newRight')}
        </span>
        <span className={backups.proved}>
          <ProofMark isGood />
          {t('backups.proof')}
        </span>
      </div>
      <div ref={ref} className={classes.plot} style={{ height: plot.height }}>
        {place && width > plot.left + plot.right && (
          <svg width={width} height={plot.height} fill="none" aria-hidden="true">
            {place.size.ticks.map(({ label, value }, index) => {
              const y = place.y(value / place.size.top)
              return (
                <g key={label} className={classes.axis}>
                  <path d={`M${plot.left} ${y}H${width - plot.right}`} />
                  <text x={plot.left - 8} y={y + 4} textAnchor="end">
                    {label}
                  </text>
                  <text x={width - plot.right + 8} y={y + 4}>
                    {place.fresh.ticks[index]?.label}
                  </text>
                </g>
              )
            })}
            <path d={place.area} className={classes.area} />
            {place.bars.map(({ id, x, y, width: wide, state, isCut }) => (
              <g key={id} className={classes.bar} data-state={state}>
                <rect x={x} y={y} width={wide} height={plot.foot - y} rx={1.5} />
                {isCut && <path d={`M${x - 2} ${y + 12}l${wide + 4} -5v4l-${wide + 4} 5z`} className={classes.cut} />}
              </g>
            ))}
            <path d={place.line} className={classes.line} />
            {place.proofs.map(({ id, x, y }) => (
              <g key={id} transform={`translate(${x - mark / 2} ${y - mark - 4})`} className={classes.mark}>
                <ProofMark isGood />
              </g>
            ))}
            {place.days.map(({ x, at, anchor }) => (
              <text key={anchor} x={x} y={plot.height - 6} textAnchor={anchor} className={classes.day}>
                {formatDay(at, locale)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </section>
  )
}
