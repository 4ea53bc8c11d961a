import { createFileRoute } from '@tanstack/react-router'
import { BackupPage } from '../../../../backups/detail/BackupPage.tsx'
import { backupSearch } from '../../../../backups/detail/backup-search.ts'

export const Route = createFileRoute('/_main/backupDetails/$backupId')({
  validateSearch: backupSearch,
  component: BackupRoute,
})

function BackupRoute() {
  const { backupId } = Route.useParams()
  return <BackupPage key={backupId} backupId={backupId} />
}
