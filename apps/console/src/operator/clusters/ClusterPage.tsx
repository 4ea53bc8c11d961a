import { staffClusterShow } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { useCall } from '../../data/use-call.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { WhyDialog } from '../customers/WhyDialog.tsx'
import { ClusterView } from './ClusterView.tsx'

/** How often it is read again, ms: nothing tells staff of each step. */
const everyMs = 5000

/** One cluster of a customer, once it is said why that one is opened. */
export function ClusterPage({ clusterId }: { clusterId: string }) {
  const t = useText()
  const query = useCall(staffClusterShow, { clusterId }, { refetchInterval: everyMs })
  return (
    <ObjectPage
      query={query}
      page={t('operator.clusters')}
      errorTitle={t('operator.clusterError')}
      gone={<ObjectGone title={t('operator.clusterGone')}>{t('operator.clusterGoneText')}</ObjectGone>}
    >
      {({ person, look, waits, cluster }) => (
        <>
          <Named name={cluster?.name ?? displayName(person)} />
          {cluster && look ? (
            <ClusterView cluster={cluster} />
          ) : (
            <>
              <h1 tabIndex={-1}>{displayName(person)}</h1>
              <WhyDialog person={person} waits={waits} onDone={() => void query.refetch()} />
            </>
          )}
        </>
      )}
    </ObjectPage>
  )
}

function Named({ name }: { name: string }) {
  usePageTitle(name)
  useCrumb(name)
  return null
}
