import { createFileRoute } from '@tanstack/react-router'
import { listSessions } from '../../api/server.ts'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { FileSkeleton } from '../../drive/table/FileSkeleton.tsx'
import { useText } from '../../i18n/text.ts'
import { SessionsPage } from '../../sessions/SessionsPage.tsx'

export const Route = createFileRoute('/_signed/sessions')({
  loader: listSessions,
  component: () => <SessionsPage sessions={Route.useLoaderData()} />,
  pendingComponent: FileSkeleton,
  errorComponent: SessionsFailed,
})

function SessionsFailed({ error }: { error: unknown }) {
  return <LoadFailed title={useText()('sessions.failedTitle')} error={error} />
}
