import { PageHeader, useDelayed } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { useClusters } from '../../api/use-clusters.ts'
import { StaleNotice } from '../../components/StaleNotice.tsx'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'
import { ClusterCard } from './ClusterCard.tsx'
import { HomeEmpty } from './HomeEmpty.tsx'
import { HomeFailure } from './HomeFailure.tsx'
import classes from './HomePage.module.css'
import { HomeSkeleton } from './HomeSkeleton.tsx'
import { HomeSummary } from './HomeSummary.tsx'

/** The clusters, one card each (spec §2, `/`). */
export function HomePage() {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const { clusters, error, updatedAt, retry } = useClusters(userid)
  const loading = !clusters && !error
  const skeleton = useDelayed(loading)
  usePageTitle(t('home.title'))
  const stale = clusters !== undefined && error !== null
  const empty = clusters?.length === 0

  return (
    <>
      <PageHeader
        title={t('home.title')}
        actions={
          !empty && (
            <Button
              component={Link}
              to="/create/{-$uid}"
              // On a phone it stands in the bottom bar.
              visibleFrom="md"
              leftSection={<IconPlus size={16} stroke={1.6} aria-hidden="true" />}
            >
              {t('home.create')}
            </Button>
          )
        }
      >
        {!empty && (clusters || !error) && (
          <HomeSummary userid={userid} clusters={clusters} stale={stale} updatedAt={updatedAt} />
        )}
      </PageHeader>
      {stale && <StaleNotice error={error} updatedAt={updatedAt} onRetry={retry} />}
      {skeleton && <HomeSkeleton />}
      {!clusters && error && <HomeFailure error={error} onRetry={retry} />}
      {empty && <HomeEmpty />}
      {clusters && !empty && (
        <ul className={classes.cards}>
          {clusters.map((cluster) => (
            <li key={cluster.clusterId}>
              <ClusterCard cluster={cluster} stale={stale} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
