import { Skeleton } from '@mantine/core'
import { useText } from '../locales/text.ts'
import classes from './ClusterCard.module.css'
import page from './HomePage.module.css'

/** Cards of the real heights, later ones fainter. */
export function HomeSkeleton() {
  const t = useText()
  return (
    <div className={page.cards} role="status" aria-label={t('common.loading')}>
      {[1, 0.7, 0.4].map((opacity) => (
        <div key={opacity} className={classes.card} style={{ opacity }}>
          <div className={classes.main}>
            <div className={classes.top}>
              <div>
                <Skeleton height={20} width={180} my={3} />
                <Skeleton height={12} width={220} mt={8} />
              </div>
              <Skeleton height={30} width={140} />
            </div>
            <Skeleton height={28} width="40%" mt={14} />
          </div>
          <div className={classes.foot}>
            <Skeleton height={32} />
          </div>
        </div>
      ))}
    </div>
  )
}
