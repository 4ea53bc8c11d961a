import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { listFolder } from '../../api/server.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
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
  const problemText = useProblemText()
  const router = useRouter()
  return (
    <ErrorState
      title={t('drive.failedTitle')}
      actions={
        <>
          <Button size="xs" onClick={() => void router.invalidate()}>
            {t('act.retry')}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => void router.navigate({ to: '/' })}>
            {t('drive.root')}
          </Button>
        </>
      }
    >
      {problemText(error)}
    </ErrorState>
  )
}
