import {
  type DomainCertificate,
  type DomainDetail,
  domainCertificateRemove,
  domainCertificates,
} from '@atoll/contract/domains'
import { EmptyState } from '@atoll/ui'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useLookRefusal } from '../../kit/browser/use-change-refusal.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import type { Column } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import shared from '../Domains.module.css'
import { HttpsState } from '../HttpsLine.tsx'
import classes from './Members.module.css'

/** The certificates of a domain, each with its names; what a visit ordered can be removed. */
export function CertificatesSection({ detail: { domain, shown, challengeAlias } }: { detail: DomainDetail }) {
  const t = useText()
  const [page, setPage] = useState(1)
  const query = useCall(domainCertificates, { domain, page })
  return (
    <section aria-labelledby="certificates">
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id="certificates">{t('domains.certificates.title')}</h2>
          <p>{t('domains.certificates.text')}</p>
          {challengeAlias && (
            <p>
              {t(`domains.certificates.${challengeAlias.isSeen ? 'aliasSeen' : 'alias'}`, { domain: shown })}{' '}
              <code className={shared.code}>{`${challengeAlias.name} CNAME ${challengeAlias.target}`}</code>
            </p>
          )}
        </div>
      </div>
      <PagedTable
        label={t('domains.certificates.title')}
        query={query}
        rows={({ certificates }) => certificates}
        list={{ isFiltered: false, toPage: setPage }}
        errorTitle={t('domains.certificates.errorTitle')}
        empty={
          <EmptyState title={t('domains.certificates.emptyTitle')}>
            {t('domains.certificates.empty', { domain: shown })}
          </EmptyState>
        }
        rowKey={({ names }) => names.join(' ')}
        columns={useColumns(domain)}
      />
    </section>
  )
}

function useColumns(domain: string): Column<DomainCertificate>[] {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  const refused = useLookRefusal()
  function remove(name: string) {
    confirm({
      title: t('domains.certificates.removeTitle', { name }),
      lost: [t('domains.certificates.removeText')],
      keep: t('domains.keep'),
      act: t('domains.certificates.remove'),
      danger: true,
      run: { call: domainCertificateRemove, body: { domain, name } },
    })
  }
  return [
    {
      header: t('domains.certificates.names'),
      phone: 'first',
      width: '44%',
      cell: ({ names }) => <code className={shared.code}>{names.join(', ')}</code>,
    },
    {
      header: t('domains.https.label'),
      phone: 'second',
      cell: ({ state, validUntil, isRenewed, problem }) => {
        const time = validUntil === null ? '' : formatDeadline(validUntil, now, locale)
        const words = state === 'expired' ? 'domains.addresses.ended' : 'domains.until'
        return (
          <span className={classes.state}>
            <HttpsState https={{ state }} />
            {validUntil !== null && <span className={classes.until}>{t(words, { time })}</span>}
            {!isRenewed && <span className={classes.until}>{t('domains.certificates.notRenewed')}</span>}
            {problem && <span className={classes.until}>{t(`domains.https.problem.${problem}`, { domain })}</span>}
          </span>
        )
      },
    },
    {
      header: t('domains.certificates.visited'),
      phone: 'third',
      isQuiet: true,
      width: '20%',
      cell: ({ visitedAt }) => (visitedAt === null ? <NoValue /> : formatTime(visitedAt, now, locale)),
    },
    {
      header: t('domains.actions'),
      phone: 'first-end',
      isActions: true,
      width: '60px',
      cell: ({ names: [name = ''], actions }) =>
        actions.includes('remove') && (
          <ActionMenu
            label={t('common.more', { name })}
            size={32}
            variant="subtle"
            actions={[
              {
                key: 'remove',
                place: 'menu',
                icon: IconTrash,
                danger: true,
                label: t('domains.certificates.remove'),
                disabledReason: refused,
                onSelect: () => remove(name),
              },
            ]}
          />
        ),
    },
  ]
}
