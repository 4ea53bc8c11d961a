import { Notice } from '@atoll/ui'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Cover } from '../components/Cover.tsx'
import { SetupSteps } from '../components/SetupSteps.tsx'
import { useTitle } from '../components/use-title.ts'
import { useText } from '../i18n/text.ts'
import { forgetServerState, requirePlace } from '../server-state.ts'

export const Route = createFileRoute('/setup')({
  loader: () => requirePlace('setup'),
  component: SettingUp,
})

/** How often the state is asked while the server is set up, ms. */
const askEveryMs = 2000

function SettingUp() {
  const t = useText()
  const { status } = Route.useLoaderData()
  const router = useRouter()
  useTitle(status)
  useEffect(() => {
    const timer = setInterval(() => {
      forgetServerState()
      // The loader leads to the next page as soon as the server is ready.
      void router.invalidate()
    }, askEveryMs)
    return () => clearInterval(timer)
  }, [router])
  const { product, clusterName, install } = status
  return (
    <Cover
      name={clusterName ?? t('app.yours', { product })}
      heading={t('installing.title')}
      lead={t('installing.lead', { product })}
    >
      {install.state === 'failed' && (
        <Notice tone="coral" title={install.reason ?? t('installing.failed')} role="alert">
          {t('installing.failedHelp')}
        </Notice>
      )}
      <SetupSteps steps={install.steps} />
    </Cover>
  )
}
