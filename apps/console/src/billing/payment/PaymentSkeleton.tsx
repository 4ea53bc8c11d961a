import { Skeleton } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from './PaymentPage.module.css'

/** The page's outline while the payment loads. */
export function PaymentSkeleton() {
  const t = useText()
  return (
    <div role="status" aria-label={t('common.loading')}>
      <Skeleton height={26} width={240} my={3} />
      <Skeleton height={14} width={200} mt={8} mb={22} />
      <div className={classes.columns}>
        <div className="stack">
          <Skeleton height={300} radius={10} />
          <Skeleton height={180} radius={10} style={{ opacity: 0.7 }} />
        </div>
        <Skeleton height={320} radius={10} style={{ opacity: 0.7 }} />
      </div>
    </div>
  )
}
