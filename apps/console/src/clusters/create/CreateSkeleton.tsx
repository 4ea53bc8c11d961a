import { Skeleton } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from './CreateWizard.module.css'

/** The wizard's outline while the catalogue loads. */
export function CreateSkeleton() {
  const t = useText()
  return (
    <div className={classes.columns} role="status" aria-label={t('common.loading')}>
      <div>
        <Skeleton height={24} width="70%" mb={28} />
        <Skeleton height={28} width={260} mb={12} />
        <Skeleton height={16} width="60%" mb={26} />
        <div className={classes.cards}>
          {[1, 0.8, 0.6, 0.4].map((opacity) => (
            <Skeleton key={opacity} height={144} radius={10} style={{ opacity }} />
          ))}
        </div>
      </div>
      <Skeleton height={320} radius={10} className={classes.summary} />
    </div>
  )
}
