import type { DomainDetail, DomainHttps, MemberAddress } from '@atoll/contract/domains'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { type Column, DataTable } from '../../kit/table/DataTable.tsx'
import tableClasses from '../../kit/table/TableCard.module.css'
import { useLocale, useText } from '../../locales/text.ts'
import shared from '../Domains.module.css'
import { HttpsState } from '../HttpsLine.tsx'
import { ClusterLink } from './ClusterLink.tsx'
import classes from './Members.module.css'

interface AddressesSectionProps {
  detail: Pick<DomainDetail, 'https' | 'problem'>
  addresses: readonly MemberAddress[]
}

/** Where the clusters of members are reached under a domain, and how they stand with HTTPS (board 24). */
export function AddressesSection({ detail: { https: all, problem }, addresses }: AddressesSectionProps) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const stateOf = (validUntil: string | null): Pick<DomainHttps, 'state'> => {
    if (all.state === 'off') return { state: 'off' }
    if (validUntil === null) return { state: 'waiting' }
    return { state: Date.parse(validUntil) <= now ? 'expired' : 'valid' }
  }
  const columns: Column<MemberAddress>[] = [
    {
      header: t('domains.addresses.host'),
      phone: 'first',
      width: '44%',
      cell: ({ host }) => <code className={shared.code}>{host}</code>,
    },
    {
      header: t('domains.addresses.cluster'),
      leads: true,
      phone: 'second',
      cell: (address) => <ClusterLink address={address} />,
    },
    {
      header: t('domains.https.label'),
      phone: 'third',
      width: '24%',
      cell: ({ validUntil }) => {
        const https = stateOf(validUntil)
        const words = https.state === 'expired' ? 'domains.addresses.ended' : 'domains.until'
        return (
          <span className={classes.state}>
            <HttpsState https={https} />
            {validUntil !== null && (
              <span className={classes.until}>{t(words, { time: formatDeadline(validUntil, now, locale) })}</span>
            )}
          </span>
        )
      },
    },
  ]
  return (
    <section className={classes.addresses} aria-labelledby="addresses">
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id="addresses">{t('domains.addresses.title')}</h2>
          <p>{t(problem?.key === 'delegationLost' ? 'domains.addresses.lost' : 'domains.addresses.text')}</p>
        </div>
      </div>
      <div className={tableClasses.card}>
        <DataTable
          label={t('domains.addresses.title')}
          rows={addresses}
          rowKey={({ host }) => host}
          columns={columns}
        />
      </div>
    </section>
  )
}
