import type { ProcessRow, ProcessState } from '@atoll/contract/staff'
import { StateBadge } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { type DocumentLook, lookOf } from '../../billing/shared/document-looks.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { formatAgo, formatUptime } from '../../kit/format/times.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './System.module.css'

const looks: Record<ProcessState, DocumentLook> = {
  ready: { label: 'system.ready', colour: 'green', shape: 'disc' },
  careful: { label: 'system.carefulState', colour: 'amber', shape: 'hollow' },
  waits: { label: 'system.waits', colour: 'amber', shape: 'ring' },
  silent: { label: 'system.silent', colour: 'coral', shape: 'square' },
}

/** The processes of the deployment, a row each role of each. */
export function ProcessesPanel({ processes }: { processes: readonly ProcessRow[] }) {
  const t = useText()
  const locale = useLocale()
  const responding = processes.filter(({ state }) => state !== 'silent').length
  const stateOf = (state: ProcessState) => {
    const { label, colour, shape } = lookOf(looks, state)
    return (
      <StateBadge bare colour={colour} shape={shape}>
        {t(label)}
      </StateBadge>
    )
  }
  return (
    <Panel title={t('system.processes')} note={t('system.responding', { count: responding, all: processes.length })}>
      <DataTable
        label={t('system.processes')}
        rows={processes}
        rowKey={({ key }) => key}
        columns={[
          { header: t('system.role'), cell: ({ role }) => <b>{role}</b>, width: '12%', phone: 'first' },
          { header: t('system.host'), cell: ({ host }) => host ?? <NoValue />, width: '18%', phone: 'second' },
          {
            header: t('system.disk'),
            cell: ({ diskTotal, diskFree }) =>
              diskTotal === null || diskFree === null ? (
                <NoValue />
              ) : (
                t('system.diskUsed', {
                  used: formatBytes(diskTotal - diskFree, locale),
                  total: formatBytes(diskTotal, locale),
                })
              ),
            isQuiet: true,
          },
          { header: t('system.version'), cell: ({ version }) => version ?? <NoValue />, width: '10%' },
          {
            header: t('system.upFor'),
            cell: ({ startedAt, state }) =>
              startedAt === null || state === 'silent' ? (
                <NoValue />
              ) : (
                formatUptime(Math.max(0, serverNow() - Date.parse(startedAt)), locale)
              ),
            width: '12%',
            isQuiet: true,
          },
          {
            header: t('system.heartbeat'),
            cell: ({ beatAt, state }) => (
              <time dateTime={beatAt} className={state === 'silent' ? classes.bad : ''}>
                {formatAgo(beatAt, serverNow(), locale)}
              </time>
            ),
            width: '16%',
            isQuiet: true,
          },
          { header: t('system.state'), cell: ({ state }) => stateOf(state), width: '13%', phone: 'first-end' },
        ]}
      />
    </Panel>
  )
}
