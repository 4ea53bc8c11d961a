import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { listBackups, listSnapshotFolder } from '../../../api/backups.ts'
import classes from '../../../backups/Backups.module.css'
import { BackupsFailed } from '../../../backups/BackupsFailed.tsx'
import { SnapshotPage } from '../../../backups/SnapshotPage.tsx'
import { FileSkeleton } from '../../../drive/table/FileSkeleton.tsx'
import { useText } from '../../../i18n/text.ts'

const Search = z.object({
  path: z.string().startsWith('/').optional().catch(undefined),
  offset: z.int().min(0).optional().catch(undefined),
  filter: z.string().max(256).optional().catch(undefined),
})

export const Route = createFileRoute('/_signed/backups/$backupId/$snapshotId')({
  validateSearch: Search,
  loaderDeps: ({ search: { path = '/', offset = 0, filter = '' } }) => ({ path, offset, filter }),
  loader: async ({ params, deps: { path, ...page } }) => {
    // Without the console the folder is shown all the same; only when it was taken is not known.
    const [listing, takenAt] = await Promise.all([
      listSnapshotFolder(params, path, page),
      findTime(params.snapshotId).catch(() => undefined),
    ])
    return { listing, takenAt }
  },
  component: Snapshot,
  pendingComponent: Looking,
  errorComponent: Failed,
})

async function findTime(snapshotId: string): Promise<number | undefined> {
  const { backups } = await listBackups()
  const found = backups.flatMap(({ snapshots }) => snapshots).find((each) => each.snapshotId === snapshotId)
  return found && Date.parse(found.at)
}

function Snapshot() {
  const params = Route.useParams()
  const { path, filter = '' } = Route.useSearch()
  const { listing, takenAt } = Route.useLoaderData()
  const navigate = Route.useNavigate()
  const inFolder = path === undefined ? {} : { path }
  const narrow = (text: string) => ({ ...inFolder, ...(text !== '' && { filter: text }) })
  return (
    <SnapshotPage
      // Typed and requested values belong to one folder.
      key={listing.path}
      snapshot={params}
      takenAt={takenAt}
      listing={listing}
      filter={filter}
      onFilter={(text) => void navigate({ search: narrow(text), replace: true })}
      onOffset={(offset) => void navigate({ search: { ...narrow(filter), ...(offset > 0 && { offset }) } })}
    />
  )
}

function Looking() {
  const t = useText()
  return (
    <>
      <p className={classes.first}>{t('backups.looking')}</p>
      <FileSkeleton />
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  return <BackupsFailed error={error} backupId={Route.useParams().backupId} />
}
