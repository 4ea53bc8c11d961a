import { backupList } from '@atoll/contract/backups'
import { countRows } from '@atoll/contract/wire'
import { EmptyState, PageHeader } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { CreateButton } from '../../billing/shared/CreateButton.tsx'
import { useCall } from '../../data/use-call.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { HelpLink } from '../../kit/site/HelpLink.tsx'
import { TableCard } from '../../kit/table/TableCard.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { BackupTable } from './BackupTable.tsx'
import { NewBackup } from './NewBackup.tsx'

/** Every backup of the account, and how much of the plan they fill (spec §2, `/backup`). */
export function BackupsPage() {
  const t = useText()
  const locale = useLocale()
  const query = useCall(backupList, {})
  const { data, error, refetch } = query
  usePageTitle(t('backups.title'))
  const machines = data?.machines ?? []
  const reason = data && machines.length === 0 ? t('backups.needsCluster') : undefined
  const create = <NewBackup machines={machines} reason={reason} />
  const { used = 0, quota = 0 } = data?.usage ?? {}
  // As plans are sold and metered: a GB is 10⁹ bytes.
  const formatGigabytes = (bytes: number) => `${formatFigure(bytes / 1e9, 1, locale)} GB`
  return (
    <>
      <PageHeader title={t('backups.title')} actions={data && data.backups.length > 0 && create}>
        {data && (
          <>
            {t('backups.usage', { used: formatGigabytes(used), quota: formatGigabytes(quota) })}
            {used > quota && (
              <span className={classes.over}>
                {t('money.dot')}
                {t('backups.above', { bytes: formatGigabytes(used - quota) })}
              </span>
            )}
          </>
        )}
      </PageHeader>
      <TableCard
        rows={countRows(data?.backups)}
        isFiltered={false}
        error={error}
        updatedAt={query.dataUpdatedAt}
        onRetry={() => refetch()}
        errorTitle={t('backups.errorTitle')}
        empty={
          <EmptyState
            title={t('backups.emptyTitle')}
            actions={reason === undefined ? create : <CreateButton variant="filled" size="lg" />}
          >
            {reason ?? t('backups.empty')}
          </EmptyState>
        }
      >
        <BackupTable backups={data?.backups ?? []} />
      </TableCard>
      <HelpLink page="backups" />
    </>
  )
}
