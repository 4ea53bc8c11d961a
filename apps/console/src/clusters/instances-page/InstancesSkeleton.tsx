import { Skeleton } from '@mantine/core'
import { useText } from '../../kit/i18n/text.ts'
import classes from './InstancesPage.module.css'

/** Rows of the real height, later ones fainter. */
export function InstancesSkeleton() {
  const t = useText()
  return (
    <div className={classes.card} role="status" aria-label={t('common.loading')}>
      {[1, 0.8, 0.6, 0.4].map((opacity) => (
        <div key={opacity} className={classes.skeleton} style={{ opacity }}>
          <Skeleton height={14} width="18%" />
          <Skeleton height={14} width="12%" />
          <Skeleton height={14} width="14%" />
          <Skeleton height={14} width="24%" />
        </div>
      ))}
    </div>
  )
}
