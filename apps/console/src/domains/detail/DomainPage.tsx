import { domainDetail, fromDomainBase } from '@atoll/contract/domains'
import { EmptyState, useDelayed } from '@atoll/ui'
import { Button, Skeleton } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isMissing } from '../../data/call-failure.ts'
import { useCall } from '../../data/use-call.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { StaleNotice } from '../../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { DomainView } from './DomainView.tsx'

interface DomainPageProps {
  /** The domain as base64url. */
  base: string
  /** In the wallet's web view, where there is no list to go to. */
  bare?: boolean
}

/** One domain (spec §2, `/domain/{base}` and `/domainMobile/{base}`). */
export function DomainPage({ base, bare = false }: DomainPageProps) {
  const domain = fromDomainBase(base)
  return domain === undefined ? <DomainGone bare={bare} /> : <KnownDomain domain={domain} bare={bare} />
}

function KnownDomain({ domain, bare }: { domain: string; bare: boolean }) {
  const t = useText()
  const navigate = useNavigate()
  const [isGone, setGone] = useState(false)
  const query = useCall(domainDetail, { domain }, { enabled: !isGone })
  const { data, error, refetch } = query
  const skeleton = useDelayed(!data && !error)
  usePageTitle(data?.shown ?? domain)
  const onGone = () => {
    setGone(true)
    if (!bare) void navigate({ to: '/domains' })
  }
  if (isGone || (error && isMissing(error))) return <DomainGone bare={bare} />
  if (data) {
    return (
      <>
        {error && <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={() => void refetch()} />}
        <DomainView detail={data} onGone={onGone} />
      </>
    )
  }
  if (error) return <LoadFailure page={domain} title={t('domains.detailError')} error={error} onRetry={refetch} />
  return skeleton ? (
    <div role="status" aria-label={t('common.loading')}>
      <Skeleton height={36} width={260} mb={24} />
      <Skeleton height={92} mb={16} />
      <Skeleton height={260} />
    </div>
  ) : null
}

function DomainGone({ bare }: { bare: boolean }) {
  const t = useText()
  usePageTitle(t('domains.goneTitle'))
  return (
    <EmptyState
      page
      title={t('domains.goneTitle')}
      actions={
        !bare && (
          <Button component={Link} to="/domains">
            {t('domains.toDomains')}
          </Button>
        )
      }
    >
      {t('domains.gone')}
    </EmptyState>
  )
}
