import { Skeleton } from '@mantine/core'
import { useText } from '../kit/i18n/text.ts'
import classes from './ActivityPage.module.css'

/** Rows of the real height, later ones fainter. */
export function ActivitySkeleton() {
  const t = useText()
  return (
    <div className={classes.card} role="status" aria-label={t('common.loading')}>
      {[1, 0.85, 0.7, 0.55, 0.4].map((opacity) => (
        <div key={opacity} className={classes.skeleton} style={{ opacity }}>
          <Skeleton height={14} width="14%" />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="26%" />
          <Skeleton height={14} width="16%" />
        </div>
      ))}
    </div>
  )
}
