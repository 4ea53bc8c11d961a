import { Skeleton } from '@mantine/core'
import { useText } from '../../i18n/text.ts'
import classes from './FileSkeleton.module.css'

const rows = [1, 0.85, 0.7, 0.5, 0.35, 0.2]

/** A folder on its way: rows of the real height, later ones fainter. */
export function FileSkeleton() {
  const t = useText()
  return (
    <div role="status" aria-label={t('drive.loading')}>
      <div className={classes.top}>
        <Skeleton height={24} width={140} />
      </div>
      <div className={classes.card}>
        {rows.map((opacity, index) => (
          <div key={opacity} className={classes.row} style={{ opacity }}>
            <Skeleton height={18} width={18} />
            <Skeleton height={12} width={`${44 - index * 5}%`} />
          </div>
        ))}
      </div>
    </div>
  )
}
