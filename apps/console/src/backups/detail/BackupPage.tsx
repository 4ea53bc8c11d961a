import { backupDetail } from '@atoll/contract/backups'
import { EmptyState, useDelayed } from '@atoll/ui'
import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isMissing } from '../../data/call-failure.ts'
import { useCall } from '../../data/use-call.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { StaleNotice } from '../../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { BackupView } from './BackupView.tsx'

/** One backup: its figures, what runs now, its snapshots and restores (spec §2, `/backupDetails/{backupId}`). */
export function BackupPage({ backupId }: { backupId: string }) {
  const t = useText()
  const query = useCall(backupDetail, { backupId })
  const { data, error, refetch } = query
  const name = data?.backup.name ?? t('backups.backup')
  usePageTitle(name)
  useCrumb(name)
  const skeleton = useDelayed(!data && !error)
  if (data) {
    return (
      <>
        {error && <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={() => void refetch()} />}
        <BackupView {...data} />
      </>
    )
  }
  if (error && isMissing(error)) {
    return (
      <EmptyState
        page
        title={t('backups.goneTitle')}
        actions={
          <Button component={Link} to="/backup">
            {t('backups.toBackups')}
          </Button>
        }
      >
        {t('backups.gone')}
      </EmptyState>
    )
  }
  if (error) {
    return <LoadFailure page={t('backups.backup')} title={t('backups.detailError')} error={error} onRetry={refetch} />
  }
  return skeleton ? (
    <div role="status" aria-label={t('common.loading')}>
      <Skeleton height={36} width={260} mb={24} />
      <Skeleton height={92} mb={16} />
      <Skeleton height={260} />
    </div>
  ) : null
}
