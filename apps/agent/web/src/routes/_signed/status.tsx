import { PageHeader } from '@atoll/ui'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getObserved } from '../../api/server.ts'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { StatusFacts } from '../../components/StatusFacts.tsx'
import { StatusMeters } from '../../components/StatusMeters.tsx'
import { FileSkeleton } from '../../drive/table/FileSkeleton.tsx'
import { useText } from '../../i18n/text.ts'

export const Route = createFileRoute('/_signed/status')({
  loader: getObserved,
  component: StatusPage,
  pendingComponent: FileSkeleton,
  errorComponent: StatusFailed,
})

/** How often the figures are asked for while the page is seen, ms: the agent measures every 5 s. */
const askEveryMs = 5000

function StatusPage() {
  const t = useText()
  const { status } = Route.useRouteContext()
  const observed = Route.useLoaderData()
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void router.invalidate()
    }, askEveryMs)
    return () => clearInterval(timer)
  }, [router])
  return (
    <>
      <PageHeader title={t('status.title')} />
      <StatusMeters metrics={observed.metrics} />
      <StatusFacts status={status} observed={observed} />
    </>
  )
}

function StatusFailed({ error }: { error: unknown }) {
  return <LoadFailed title={useText()('status.failedTitle')} error={error} />
}
