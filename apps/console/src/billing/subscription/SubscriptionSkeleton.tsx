import { Skeleton } from '@mantine/core'
import { useText } from '../../locales/text.ts'

/** The page's outline while the subscription loads. */
export function SubscriptionSkeleton() {
  const t = useText()
  return (
    <div className="stack" role="status" aria-label={t('common.loading')}>
      <div>
        <Skeleton height={26} width={200} my={3} />
        <Skeleton height={14} width={300} mt={8} />
      </div>
      <Skeleton height={125} radius={10} />
      <Skeleton height={220} radius={10} style={{ opacity: 0.7 }} />
      <Skeleton height={180} radius={10} style={{ opacity: 0.4 }} />
    </div>
  )
}
