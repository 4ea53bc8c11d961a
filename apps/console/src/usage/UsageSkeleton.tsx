import { Skeleton } from '@mantine/core'
import { useText } from '../locales/text.ts'

/** As high as what comes. */
export function UsageSkeleton() {
  const t = useText()
  return (
    <div className="stack" role="status" aria-label={t('common.loading')}>
      <Skeleton height={348} radius={10} />
      <Skeleton height={220} radius={10} />
    </div>
  )
}
