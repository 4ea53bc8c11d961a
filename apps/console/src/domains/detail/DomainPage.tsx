import { domainDetail, fromDomainBase } from '@atoll/contract/domains'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isMissing } from '../../data/call-failure.ts'
import { useCall } from '../../data/use-call.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
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
  usePageTitle(query.data?.shown ?? domain)
  const onGone = () => {
    setGone(true)
    if (!bare) void navigate({ to: '/domains' })
  }
  const gone = <DomainGone bare={bare} />
  if (isGone || (query.error && isMissing(query.error))) return gone
  return (
    <ObjectPage query={query} page={domain} errorTitle={t('domains.detailError')} gone={gone}>
      {(data) => <DomainView detail={data} onGone={onGone} />}
    </ObjectPage>
  )
}

function DomainGone({ bare }: { bare: boolean }) {
  const t = useText()
  usePageTitle(t('domains.goneTitle'))
  return (
    <ObjectGone
      title={t('domains.goneTitle')}
      to={bare ? undefined : { page: '/domains', label: t('domains.toDomains') }}
    >
      {t('domains.gone')}
    </ObjectGone>
  )
}
