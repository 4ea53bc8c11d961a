import type { RunningVersion } from '@atoll/contract/rollouts'
import type { DocumentLook } from '../../billing/shared/document-looks.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { LookBadge } from '../parts/LookBadge.tsx'

const looks: Record<RunningVersion['state'], DocumentLook> = {
  rollingOut: { label: 'versions.rollingOut', colour: 'amber', shape: 'ring' },
  current: { label: 'versions.current', colour: 'green', shape: 'disc' },
  offered: { label: 'versions.offered', colour: 'grey', shape: 'ring' },
  old: { label: 'versions.old', colour: 'grey', shape: 'hollow' },
  unsupported: { label: 'versions.unsupported', colour: 'amber', shape: 'disc' },
}

/** The versions of one program, and how many clusters run each. */
export function VersionsTable({ versions, clusters }: { versions: readonly RunningVersion[]; clusters: number }) {
  const t = useText()
  const locale = useLocale()
  const stateOf = ({ state, offline }: RunningVersion) => (
    <LookBadge looks={looks} state={state}>
      {offline > 0 && t('versions.ofThemOffline', { count: offline })}
    </LookBadge>
  )
  const shareOf = (count: number) => {
    const share = new Intl.NumberFormat(locale, { style: 'percent' })
    if (count > 0 && count / clusters < 0.01) return `<${share.format(0.01)}`
    return share.format(clusters === 0 ? 0 : count / clusters)
  }
  return (
    <DataTable
      label={t('versions.agent')}
      rows={versions}
      rowKey={({ version }) => version}
      columns={[
        { header: t('versions.version'), cell: ({ version }) => <b>{version}</b>, width: '26%', phone: 'first' },
        {
          header: t('versions.released'),
          cell: ({ releasedAt }) => <DayAndTime at={releasedAt} />,
          width: '20%',
          isQuiet: true,
        },
        { header: t('versions.state'), cell: stateOf, phone: 'second' },
        { header: t('versions.share'), cell: ({ clusters: count }) => shareOf(count), width: '12%', align: 'right' },
        {
          header: t('versions.clustersHead'),
          cell: ({ clusters: count }) => count,
          width: '12%',
          align: 'right',
          phone: 'first-end',
        },
      ]}
    />
  )
}
