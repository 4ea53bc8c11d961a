import { countRows, countUnreadable } from '@atoll/contract/wire'
import { PageHeader, useDelayed } from '@atoll/ui'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { CreateButton } from '../billing/shared/CreateButton.tsx'
import { CreateRefused } from '../clusters/create/CreateRefused.tsx'
import { createRefusal } from '../clusters/create/create-refusal.ts'
import { orderOf } from '../clusters/order/order-of.ts'
import { UserFilter } from '../clusters/UserFilter.tsx'
import { useClusters } from '../clusters/use-clusters.ts'
import { useInit } from '../data/home-queries.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { PartBoundary } from '../kit/page/PartBoundary.tsx'
import { ShowMore, useFirstRows } from '../kit/page/ShowMore.tsx'
import { StaleNotice } from '../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import { useText } from '../locales/text.ts'
import { ClusterCard } from './ClusterCard.tsx'
import { FirstStepsPart } from './FirstStepsPart.tsx'
import { HomeEmpty } from './HomeEmpty.tsx'
import classes from './HomePage.module.css'
import { HomeSkeleton } from './HomeSkeleton.tsx'
import { HomeSummary } from './HomeSummary.tsx'

/** The clusters, one card each (spec §2, `/`). */
export function HomePage({ user }: { user: string | undefined }) {
  const t = useText()
  const navigate = useNavigate()
  const { clusters, error, updatedAt, stale, retry } = useClusters()
  const init = useInit()
  const empty = countRows(clusters) === 0
  // The empty page has its own: until it is known whether it is that one, none stands where it would vanish.
  const offersCreate = clusters ? !empty : error !== null
  const skeleton = useDelayed(!clusters && !error)
  usePageTitle(t('home.title'))
  const refusal = init.data && createRefusal(init.data.user)
  const users = init.data?.clusterUserAndPeriod.clusterUser ?? []
  // Someone who is no longer there filters nothing.
  const filter = users.some((owner) => owner.userid === user) ? user : undefined
  const shown =
    filter && clusters
      ? countUnreadable(
          clusters.filter(({ owner }) => owner.userid === filter),
          clusters,
        )
      : clusters
  const first = useFirstRows(shown ?? [])
  const waiting = clusters?.filter((cluster) => cluster.actions.includes('activate') || orderOf(cluster)) ?? []

  return (
    <>
      <PageHeader
        title={t('home.title')}
        actions={
          offersCreate && (
            <>
              <UserFilter
                users={users}
                user={filter}
                onChoose={(chosen) => void navigate({ to: '/', search: chosen ? { user: chosen } : {} })}
              />
              {!refusal && (
                <CreateButton
                  // On a phone it stands in the header.
                  visibleFrom="md"
                  leftSection={<IconPlus size={16} stroke={1.6} aria-hidden="true" />}
                />
              )}
            </>
          )
        }
      >
        {!empty && (clusters || !error) && <HomeSummary clusters={shown} stale={stale} updatedAt={updatedAt} />}
      </PageHeader>
      {clusters && error && <StaleNotice error={error} updatedAt={updatedAt} onRetry={retry} />}
      {skeleton && <HomeSkeleton />}
      {!clusters && error && <LoadFailure title={t('home.errorTitle')} error={error} onRetry={retry} />}
      {refusal && clusters && (
        <div className={classes.refusal}>
          <CreateRefused reason={refusal} shape={empty ? 'empty' : 'notice'} onCheck={() => void init.refetch()} />
        </div>
      )}
      {empty && !refusal && <HomeEmpty />}
      {countRows(shown) === 0 && !empty && <p className={classes.none}>{t('home.noneOfUser')}</p>}
      {shown && shown.length > 0 && (
        <ul className={classes.cards}>
          {first.rows.map((cluster) => (
            <li key={cluster.clusterId}>
              <PartBoundary>
                <ClusterCard cluster={cluster} stale={stale} isNext={waiting.length === 1 && waiting[0] === cluster} />
              </PartBoundary>
            </li>
          ))}
        </ul>
      )}
      <UnreadableRows of={shown} />
      <ShowMore hidden={first.hidden} onShow={first.showMore} />
      {clusters && <FirstStepsPart />}
    </>
  )
}
