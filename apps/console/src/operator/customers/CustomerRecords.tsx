import type { CustomerDetail } from '@atoll/contract/staff'
import { lookUp } from '@atoll/contract/wire'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { TablePanel } from '../parts/TablePanel.tsx'
import { mailKindWords, mailStateWords } from './customer-looks.ts'

/** Backups with the age of their proof, mails and how they fared, and where the customer is signed in. */
export function CustomerRecords({ customer }: { customer: CustomerDetail }) {
  const t = useText()
  const locale = useLocale()
  const at = (time: string | null) => (time === null ? t('system.never') : formatDayAndTime(time, Date.now(), locale))
  const clusterOf = (id: string) => customer.clusterList.find(({ clusterId }) => clusterId === id)?.name ?? id
  const kindOf = (kind: string) => {
    const words = lookUp<string, TextKey | undefined>(mailKindWords, kind, undefined)
    return words ? t(words) : kind
  }
  const { backups, mails, sessions } = customer
  return (
    <>
      <TablePanel
        title={t('operator.backupsTitle')}
        none={t('operator.noBackups')}
        rows={backups}
        rowKey={({ backupId }) => backupId}
        columns={[
          {
            header: t('operator.name'),
            cell: ({ clusterId, backupId }) => <CellLines main={clusterOf(clusterId)} second={backupId} />,
            phone: 'first',
          },
          {
            header: t('operator.lastBackup'),
            cell: ({ completedAt }) => at(completedAt),
            width: '30%',
            phone: 'second',
          },
          {
            header: t('operator.proof'),
            cell: ({ provedAt }) => at(provedAt),
            width: '30%',
            isQuiet: true,
            phone: 'second-end',
          },
        ]}
      />
      <TablePanel
        title={t('operator.mails')}
        none={t('operator.noMails')}
        rows={mails}
        rowKey={({ mailId }) => mailId}
        columns={[
          {
            header: t('operator.what'),
            cell: ({ kind, to }) => <CellLines main={kindOf(kind)} second={to} />,
            phone: 'first',
          },
          {
            header: t('operator.state'),
            cell: ({ state }) => t(lookUp(mailStateWords, state, mailStateWords.waiting)),
            width: '24%',
            phone: 'second',
          },
          {
            header: t('operator.when'),
            cell: (row) => at(row.at),
            width: '24%',
            isQuiet: true,
            phone: 'second-end',
          },
        ]}
      />
      <TablePanel
        title={t('operator.sessions')}
        none={t('operator.noSessions')}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          {
            header: t('operator.where'),
            cell: ({ browser, system, kind, ip }) => (
              <CellLines main={[browser, system].filter(Boolean).join(' · ') || kind} second={ip} />
            ),
            phone: 'first',
          },
          {
            header: t('operator.lastSeen'),
            cell: ({ lastSeenAt }) => at(lastSeenAt),
            width: '30%',
            isQuiet: true,
            phone: 'second',
          },
        ]}
      />
    </>
  )
}
