import type { Resource } from '@atoll/contract'
import { ErrorState } from '@atoll/ui'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { detailsQuery } from '../../api/queries.ts'
import type { Action } from '../../components/actions/action.ts'
import { CopyDetailsButton } from '../../components/CopyDetailsButton.tsx'
import { useText } from '../../i18n/text.ts'
import { AboutSection } from './AboutSection.tsx'
import { DangerZone } from './DangerZone.tsx'
import { InstancesSection } from './InstancesSection.tsx'
import { OperationPanel } from './OperationPanel.tsx'
import { OperationsSection } from './OperationsSection.tsx'

interface ClusterSectionsProps {
  cluster: Resource
  userid: string
  actions: Action[]
}

/** The parts of a cluster's page. Instances and history come with a call of their own and fail on their own. */
export function ClusterSections({ cluster, userid, actions }: ClusterSectionsProps) {
  const t = useText()
  const { data, error, refetch } = useQuery(detailsQuery(userid, cluster.clusterId))
  return (
    <>
      <OperationPanel cluster={cluster} operation={data?.operations[0]} />
      {data && <InstancesSection cluster={cluster} details={data} />}
      {data && <OperationsSection operations={data.operations} />}
      {!data && error && (
        <ErrorState
          title={t('detail.detailsErrorTitle')}
          actions={
            <>
              <Button size="xs" onClick={() => void refetch()}>
                {t('failure.retry')}
              </Button>
              <CopyDetailsButton error={error} />
            </>
          }
        >
          {error.message}
        </ErrorState>
      )}
      {!data && !error && <Skeleton height={160} radius={10} />}
      <AboutSection cluster={cluster} />
      <DangerZone cluster={cluster} actions={actions} />
    </>
  )
}
