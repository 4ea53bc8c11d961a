import { createFileRoute } from '@tanstack/react-router'
import { listAppPasswords, listSessions } from '../../api/server.ts'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { FileSkeleton } from '../../drive/table/FileSkeleton.tsx'
import { useText } from '../../i18n/text.ts'
import { SessionsPage } from '../../sessions/SessionsPage.tsx'

export const Route = createFileRoute('/_signed/sessions')({
  loader: async () => {
    const [sessions, { passwords }] = await Promise.all([listSessions(), listAppPasswords()])
    return { sessions, passwords }
  },
  component: () => <SessionsPage {...Route.useLoaderData()} />,
  pendingComponent: FileSkeleton,
  errorComponent: SessionsFailed,
})

function SessionsFailed({ error }: { error: unknown }) {
  return <LoadFailed title={useText()('sessions.failedTitle')} error={error} />
}
