import { Button } from '@mantine/core'
import { createFileRoute, Link } from '@tanstack/react-router'
import { z } from 'zod'
import { listFolder } from '../../api/server.ts'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { DrivePage } from '../../drive/DrivePage.tsx'
import { FileSkeleton } from '../../drive/table/FileSkeleton.tsx'
import { useText } from '../../i18n/text.ts'

export const Route = createFileRoute('/_signed/')({
  validateSearch: z.object({ path: z.string().startsWith('/').optional().catch(undefined) }),
  loaderDeps: ({ search: { path } }) => ({ path: path ?? '/' }),
  loader: ({ deps: { path } }) => listFolder(path),
  component: Drive,
  pendingComponent: FileSkeleton,
  errorComponent: FolderFailed,
})

function Drive() {
  const listing = Route.useLoaderData()
  // What is typed and chosen belongs to one folder.
  return <DrivePage key={listing.path} listing={listing} />
}

function FolderFailed({ error }: { error: unknown }) {
  const t = useText()
  return (
    <LoadFailed title={t('drive.failedTitle')} error={error}>
      <Button size="xs" variant="subtle" renderRoot={(props) => <Link to="/" {...props} />}>
        {t('drive.root')}
      </Button>
    </LoadFailed>
  )
}
