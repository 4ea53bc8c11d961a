import { useDelayed } from '@atoll/ui'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { initQuery } from '../../api/queries.ts'
import { useLoad } from '../../api/use-load.ts'
import { CreateRefused } from '../../components/create/CreateRefused.tsx'
import { createRefusal } from '../../components/create/create-refusal.ts'
import { LoadFailure } from '../../components/LoadFailure.tsx'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'
import { CreateSkeleton } from './CreateSkeleton.tsx'
import { CreateWizard } from './CreateWizard.tsx'

/** Create a cluster (spec §2, `create/{uid?}`): refused without permission or ID, otherwise step by step. */
export function CreatePage() {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const { data, error, refetch } = useLoad(initQuery(userid))
  const skeleton = useDelayed(!data && !error)
  usePageTitle(t('create.title'))

  if (data) {
    const refusal = createRefusal(data.user)
    if (refusal) return <CreateRefused reason={refusal} shape="page" onCheck={() => void refetch()} />
    return <CreateWizard init={data} userid={userid} />
  }
  if (error) {
    return <LoadFailure page={t('create.title')} title={t('create.errorTitle')} error={error} onRetry={refetch} />
  }
  return skeleton ? <CreateSkeleton /> : null
}
