import { useDelayed } from '@atoll/ui'
import { useEffect, useEffectEvent } from 'react'
import { useInit } from '../../data/home-queries.ts'
import { useText } from '../../kit/i18n/text.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { CreateRefused } from './CreateRefused.tsx'
import { CreateSkeleton } from './CreateSkeleton.tsx'
import { CreateWizard } from './CreateWizard.tsx'
import { createRefusal } from './create-refusal.ts'
import { createSearch } from './create-search.ts'
import { takeChoices } from './kept-choices.ts'
import { useCreateSearch } from './use-create-search.ts'

/** Create a cluster (spec §2, `create/{uid?}`): refused without permission or ID, otherwise step by step. */
export function CreatePage() {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const { data, error, refetch } = useInit()
  const skeleton = useDelayed(!data && !error)
  usePageTitle(t('create.title'))
  const { choose } = useCreateSearch()
  // Back from adding a card: what was chosen before it stands again.
  const restore = useEffectEvent(() => {
    const kept = takeChoices()
    if (kept && location.search === '') choose(createSearch(kept))
  })
  useEffect(restore, [])

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
