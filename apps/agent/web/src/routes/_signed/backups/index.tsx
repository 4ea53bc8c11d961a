import { createFileRoute } from '@tanstack/react-router'
import { listBackups } from '../../../api/backups.ts'
import { BackupsFailed } from '../../../backups/BackupsFailed.tsx'
import { BackupsPage } from '../../../backups/BackupsPage.tsx'
import { FileSkeleton } from '../../../drive/table/FileSkeleton.tsx'

export const Route = createFileRoute('/_signed/backups/')({
  loader: listBackups,
  component: () => <BackupsPage kept={Route.useLoaderData()} />,
  pendingComponent: FileSkeleton,
  errorComponent: ({ error }) => <BackupsFailed error={error} />,
})
