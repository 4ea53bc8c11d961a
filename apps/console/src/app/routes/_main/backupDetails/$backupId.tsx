import { createFileRoute } from '@tanstack/react-router'
import { BackupPage } from '../../../../backups/detail/BackupPage.tsx'
import { backupSearch } from '../../../../backups/detail/backup-search.ts'
import { FilesPage } from '../../../../backups/files/FilesPage.tsx'

export const Route = createFileRoute('/_main/backupDetails/$backupId')({
  validateSearch: backupSearch,
  component: BackupRoute,
})

function BackupRoute() {
  const { backupId } = Route.useParams()
  const { snapshot } = Route.useSearch()
  if (snapshot !== undefined) return <FilesPage key={snapshot} backupId={backupId} snapshotId={snapshot} />
  return <BackupPage key={backupId} backupId={backupId} />
}
