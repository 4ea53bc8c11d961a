import { useParams } from '@tanstack/react-router'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { useText } from '../../locales/text.ts'
import { AbusePage } from '../abuse/AbusePage.tsx'
import { AnnouncementsPage } from '../announcements/AnnouncementsPage.tsx'
import { CapacityPage } from '../capacity/CapacityPage.tsx'
import { ClusterPage } from '../clusters/ClusterPage.tsx'
import { ClustersPage } from '../clusters/ClustersPage.tsx'
import { CustomerPage } from '../customers/CustomerPage.tsx'
import { CustomersPage } from '../customers/CustomersPage.tsx'
import { MoneyPage } from '../money/MoneyPage.tsx'
import { OverviewPage } from '../overview/OverviewPage.tsx'
import { StaffPage } from '../staff/StaffPage.tsx'
import { SystemPage } from '../system/SystemPage.tsx'
import { VersionsPage } from '../versions/VersionsPage.tsx'
import { sectionOf } from './places.ts'

/** The page of the area that the address names. */
export function OperatorArea() {
  const t = useText()
  const params = useParams({ strict: false })
  const section = sectionOf(params.section)
  if (section === 'overview') return <OverviewPage />
  if (section === 'clusters')
    return params.object === undefined ? (
      <ClustersPage />
    ) : (
      <ClusterPage key={params.object} clusterId={params.object} />
    )
  if (section === 'customers')
    return params.object === undefined ? (
      <CustomersPage />
    ) : (
      <CustomerPage key={params.object} accountId={params.object} />
    )
  if (section === 'capacity') return <CapacityPage />
  if (section === 'system') return <SystemPage />
  if (section === 'abuse') return <AbusePage />
  if (section === 'versions') return <VersionsPage />
  if (section === 'announcements') return <AnnouncementsPage />
  if (section === 'money') return <MoneyPage />
  if (section === 'staff') return <StaffPage />
  return <ObjectGone title={t('operator.noSection')}>{t('operator.noSectionText')}</ObjectGone>
}
