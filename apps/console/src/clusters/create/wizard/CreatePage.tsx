import { backupSnapshot, SnapshotId } from '@atoll/contract/backups'
import { useDelayed } from '@atoll/ui'
import { useParams } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { readLeft } from '../../../billing/shared/pay-with/left-for-card.ts'
import { useCreateWaits } from '../../../billing/shared/use-create-waits.ts'
import { useInit } from '../../../data/home-queries.ts'
import { useCall } from '../../../data/use-call.ts'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { usePageTitle } from '../../../kit/page/use-page-title.ts'
import { useText } from '../../../locales/text.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'
import { CreateRefused } from '../CreateRefused.tsx'
import { CreateSkeleton } from '../CreateSkeleton.tsx'
import { CreateWaits } from '../CreateWaits.tsx'
import { createRefusal } from '../create-refusal.ts'
import { createSearch } from '../create-search.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { CreateWizard } from './CreateWizard.tsx'

/**
 * Create a cluster (spec §2, `create/{uid?}`): refused without permission or ID or past due, otherwise step by step.
 * Where the address names a snapshot, its files are restored on it.
 */
export function CreatePage() {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const { data, error, refetch } = useInit()
  const skeleton = useDelayed(!data && !error)
  usePageTitle(t('create.title'))
  const { choose } = useCreateSearch()
  const waits = useCreateWaits()
  const asked = SnapshotId.safeParse(useParams({ strict: false }).uid).data
  const from = useCall(backupSnapshot, { snapshotId: asked ?? '' }, { enabled: asked !== undefined })
  // Back from adding a card: what was chosen before it stands again.
  const restore = useEffectEvent(() => {
    const left = readLeft()
    if (left && location.search === '') choose(createSearch(left.choices))
  })
  useEffect(restore, [])

  if (data) {
    const refusal = createRefusal(data.user)
    if (refusal) return <CreateRefused reason={refusal} shape="page" onCheck={() => void refetch()} />
    if (waits !== undefined) return <CreateWaits reason={waits} />
    if (asked === undefined) return <CreateWizard init={data} userid={userid} />
    if (from.data) {
      const instanceInfo = { ...data.instanceInfo, filesSize: from.data.snapshot.size ?? 0 }
      return <CreateWizard init={{ ...data, instanceInfo }} userid={userid} source={from.data} />
    }
    if (from.error) {
      const { refetch: again } = from
      return (
        <LoadFailure page={t('create.title')} title={t('create.restoreError')} error={from.error} onRetry={again} />
      )
    }
    return <CreateSkeleton />
  }
  if (error) {
    return <LoadFailure page={t('create.title')} title={t('create.errorTitle')} error={error} onRetry={refetch} />
  }
  return skeleton ? <CreateSkeleton /> : null
}
