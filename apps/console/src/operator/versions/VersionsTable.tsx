import type { RunningVersion } from '@atoll/contract/rollouts'
import { StateBadge } from '@atoll/ui'
import { type DocumentLook, lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'

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
  const stateOf = ({ state, offline }: RunningVersion) => {
    const { label, colour, shape } = lookOf(looks, state)
    return (
      <StateBadge bare colour={colour} shape={shape}>
        {t(label)}
        {offline > 0 && t('versions.ofThemOffline', { count: offline })}
      </StateBadge>
    )
  }
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
          cell: ({ releasedAt }) =>
            releasedAt === null ? (
              <NoValue />
            ) : (
              <time dateTime={releasedAt}>{formatDayAndTime(releasedAt, serverNow(), locale)}</time>
            ),
          width: '20%',
          isQuiet: true,
        },
        { header: t('versions.state'), cell: stateOf, phone: 'second' },
        { header: t('versions.share'), cell: ({ clusters: count }) => shareOf(count), width: '12%' },
        { header: t('versions.clustersHead'), cell: ({ clusters: count }) => count, width: '12%', phone: 'first-end' },
      ]}
    />
  )
}
