import { systemShow } from '@atoll/contract/staff'
import { PageHeader } from '@atoll/ui'
import { useCall } from '../../data/use-call.ts'
import { formatClock } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { CatalogPanel } from './CatalogPanel.tsx'
import { JobsPanel } from './JobsPanel.tsx'
import { ProcessesPanel } from './ProcessesPanel.tsx'
import classes from './System.module.css'
import { SystemCards } from './SystemCards.tsx'

/** How often the page is read again, ms: each process writes as often. */
const everyMs = 10_000

/** How the deployment itself fares, and what may be done about it. */
export function SystemPage() {
  const t = useText()
  const locale = useLocale()
  usePageTitle(t('system.title'))
  useCrumb(t('system.title'))
  const query = useCall(systemShow, {}, { refetchInterval: everyMs })
  const refresh = () => void query.refetch()
  return (
    <ObjectPage query={query} page={t('system.title')} errorTitle={t('system.error')}>
      {(system) => (
        <>
          <PageHeader title={t('system.title')}>
            {t('system.asOf', { at: formatClock(query.dataUpdatedAt, locale) })}
          </PageHeader>
          <div className={classes.panels}>
            <ProcessesPanel processes={system.processes} />
            <JobsPanel queues={system.queues} failedJobs={system.failedJobs} onChanged={refresh} />
            <CatalogPanel />
            <SystemCards system={system} onChanged={refresh} />
          </div>
        </>
      )}
    </ObjectPage>
  )
}
