import { backupList } from '@atoll/contract/backups'
import { countRows } from '@atoll/contract/wire'
import { EmptyState } from '@atoll/ui'
import { useCall } from '../../data/use-call.ts'
import { TableCard } from '../../kit/table/TableCard.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { BackupTable } from './BackupTable.tsx'
import { NewBackup } from './NewBackup.tsx'

/** The backups of one cluster, as a tab of its page (board 07). */
export function ClusterBackups({ clusterId }: { clusterId: string }) {
  const t = useText()
  const { data, error, dataUpdatedAt, refetch } = useCall(backupList, {})
  const backups = data?.backups.filter((backup) => backup.clusterId === clusterId)
  const machines = data?.machines.filter((machine) => machine.clusterId === clusterId) ?? []
  // The caller's own clusters are listed alone.
  const reason = data && machines.length === 0 ? t('backups.ownersOnly') : undefined
  const create = <NewBackup machines={machines} reason={reason} />
  return (
    <section aria-label={t('backups.title')}>
      {backups && backups.length > 0 && (
        <div className={classes.sectionHead}>
          <h2 className={classes.sectionTitle}>{t('backups.title')}</h2>
          {create}
        </div>
      )}
      <TableCard
        rows={countRows(backups)}
        isFiltered={false}
        error={error}
        updatedAt={dataUpdatedAt}
        onRetry={() => refetch()}
        errorTitle={t('backups.errorTitle')}
        empty={
          <EmptyState title={t('backups.emptyTitle')} actions={reason === undefined && create}>
            {reason ?? t('backups.empty')}
          </EmptyState>
        }
      >
        <BackupTable backups={backups ?? []} isOfOne />
      </TableCard>
    </section>
  )
}
