import { createFileRoute } from '@tanstack/react-router'
import { DomainPage } from '../../../../domains/detail/DomainPage.tsx'
import { domainSearch } from '../../../../domains/domain-search.ts'

export const Route = createFileRoute('/_bare/domainMobile/$base')({
  validateSearch: domainSearch,
  component: DomainRoute,
})

function DomainRoute() {
  const { base } = Route.useParams()
  return <DomainPage key={base} base={base} bare />
}
