import { PageHeader } from '@atoll/ui'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatLongDay } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { AttentionCard } from './AttentionCard.tsx'
import { OverviewFigures } from './OverviewFigures.tsx'

const minuteMs = 60_000

/** The items of the deployment that need a person, then its figures. */
export function OverviewPage() {
  const t = useText()
  const locale = useLocale()
  const now = useNow(minuteMs)
  usePageTitle(t('operator.overview'))
  useCrumb(t('operator.overview'))
  return (
    <>
      <PageHeader title={t('operator.overview')}>{formatLongDay(now, locale)}</PageHeader>
      <AttentionCard />
      <OverviewFigures />
    </>
  )
}
