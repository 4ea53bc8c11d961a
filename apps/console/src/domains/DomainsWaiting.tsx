import { domainList } from '@atoll/contract/domains'
import { useCall } from '../data/use-call.ts'
import { useText } from '../locales/text.ts'
import { needsOwner } from './needs-owner.ts'

/** How many domains do not go on without their owner; nothing while none waits, or while it is not known. */
export function DomainsWaiting({ className }: { className: string | undefined }) {
  const t = useText()
  const { data } = useCall(domainList, {})
  const count = data?.domains.filter(needsOwner).length ?? 0
  if (count === 0) return null
  return (
    <span className={className} data-tip={t('shell.domainsWaiting', { count })}>
      {count}
    </span>
  )
}
