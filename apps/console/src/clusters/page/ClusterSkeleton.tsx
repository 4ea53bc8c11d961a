import { Skeleton } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'

/** The page's outline while the cluster loads. */
export function ClusterSkeleton() {
  const t = useText()
  return (
    <div className={classes.sections} role="status" aria-label={t('common.loading')}>
      <div>
        <Skeleton height={26} width={220} my={3} />
        <Skeleton height={14} width={320} mt={8} />
      </div>
      <Skeleton height={250} radius={10} />
      <Skeleton height={170} radius={10} style={{ opacity: 0.7 }} />
      <Skeleton height={170} radius={10} style={{ opacity: 0.4 }} />
    </div>
  )
}
