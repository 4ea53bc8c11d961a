import { Button } from '@mantine/core'
import { createFileRoute, Link } from '@tanstack/react-router'
import { z } from 'zod'
import { listFolder } from '../../api/server.ts'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { DrivePage } from '../../drive/DrivePage.tsx'
import { FileSkeleton } from '../../drive/table/FileSkeleton.tsx'
import { chosenOrder } from '../../drive/table/use-file-order.ts'
import { useText } from '../../i18n/text.ts'

export const Route = createFileRoute('/_signed/')({
  validateSearch: z.object({
    path: z.string().startsWith('/').optional().catch(undefined),
    offset: z.int().min(0).optional().catch(undefined),
  }),
  loaderDeps: ({ search: { path = '/', offset = 0 } }) => ({ path, offset, ...chosenOrder() }),
  loader: ({ deps: { path, ...page } }) => listFolder(path, page),
  component: Drive,
  pendingComponent: FileSkeleton,
  errorComponent: FolderFailed,
})

function Drive() {
  const listing = Route.useLoaderData()
  const { path } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <DrivePage
      // Another page or folder starts with nothing typed or selected.
      key={`${listing.offset} ${listing.path}`}
      listing={listing}
      onOffset={(offset) => void navigate({ search: { ...(path && { path }), ...(offset > 0 && { offset }) } })}
    />
  )
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
