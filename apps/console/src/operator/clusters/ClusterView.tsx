import type { StaffClusterDetail } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { operationKindLabel } from '@atoll/texts/operations'
import { Facts, Notice, PageHeader, StatusBadge } from '@atoll/ui'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { OperationSteps } from '../../clusters/operations/OperationSteps.tsx'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatDayAndTime, formatDayAndTimeWithin, formatUptime } from '../../kit/format/times.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { TablePanel } from '../parts/TablePanel.tsx'
import { ClusterActions } from './ClusterActions.tsx'
import classes from './Clusters.module.css'

/** An operation's steps, who holds it and what was answered; the way to go on or to give up. */
export function ClusterView({ cluster }: { cluster: StaffClusterDetail }) {
  const t = useText()
  const locale = useLocale()
  const now = useNow(1000)
  const { person, operations, attempts, instances, holder, nextTryAt, gateway } = cluster
  const newest = operations.find(({ state }) => state === 'running') ?? operations[0]
  const when = (at: string) => formatDayAndTime(at, now, locale)
  const late = newest?.state === 'running' && Date.parse(newest.deadlineAt) < now
  const passed = formatUptime(Math.max(0, now - Date.parse(cluster.since)), locale)
  const seconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  })
  const facts: [string, ReactNode][] = [
    [t('operator.process'), holder ? holder.process : t('operator.nobodyHolds')],
    ...(holder ? [[t('operator.lease'), when(holder.since)] as [string, ReactNode]] : []),
    [t('operator.nextTry'), nextTryAt ? when(nextTryAt) : '–'],
    ...(newest ? [[t('operator.deadline'), when(newest.deadlineAt)] as [string, ReactNode]] : []),
    [t('operator.customerReads'), cluster.reason ?? '–'],
    ...(gateway ? [[t('operator.gatewayAnswer'), gateway] as [string, ReactNode]] : []),
  ]
  return (
    <>
      <PageHeader
        title={cluster.name}
        badge={<StatusBadge status={cluster.status} locale={locale} />}
        actions={<ClusterActions cluster={cluster} />}
      >
        <Facts>
          <Link to="/operator/{-$section}/{-$object}" params={{ section: 'customers', object: person.accountId }}>
            {displayName(person)}
          </Link>
          {cluster.regionId ?? cluster.cloudName}
          {cluster.version}
          {cluster.agentVersion && t('operator.agentOf', { version: cluster.agentVersion })}
          <span className="mono">{cluster.clusterId}</span>
        </Facts>
      </PageHeader>
      {cluster.isStuck && (
        <div className={classes.notice}>
          <Notice
            tone="coral"
            title={t(late ? 'operator.pastDeadline' : 'operator.failedFor', {
              what: newest ? operationKindLabel(newest.kind, locale) : cluster.name,
              passed,
            })}
          >
            {cluster.reason ?? ''}
          </Notice>
        </div>
      )}
      <div className={classes.columns}>
        {newest && (
          <Panel
            title={operationKindLabel(newest.kind, locale)}
            note={<span className="mono">{newest.operationId}</span>}
          >
            <div className={classes.steps}>
              <OperationSteps operation={newest} isHeldUp={cluster.status === 'restore_error'} />
              {newest.error && <p className={classes.wrong}>{newest.error}</p>}
            </div>
          </Panel>
        )}
        <Panel title={t('operator.whoHolds')}>
          <dl className={classes.facts}>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
      <TablePanel
        title={t('operator.attempts')}
        rows={attempts}
        rowKey={({ number }) => number}
        columns={[
          {
            header: t('operator.providerAnswer'),
            cell: ({ call, answer }) => <CellLines main={answer} second={call} />,
            phone: 'first',
          },
          { header: t('operator.by'), cell: ({ by }) => by, width: '18%', isQuiet: true, phone: 'none' },
          {
            header: t('operator.took'),
            cell: ({ took }) => <span className="num">{seconds.format(took / 1000)}</span>,
            width: '10%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
          },
          {
            header: t('operator.when'),
            cell: ({ at }) => <time dateTime={at}>{when(at)}</time>,
            width: '18%',
            align: 'right',
            isQuiet: true,
            phone: 'second',
          },
        ]}
      />
      <Panel title={t('operator.instances')}>
        <DataTable
          label={t('operator.instances')}
          rows={instances}
          rowKey={({ instanceId }) => instanceId}
          columns={[
            {
              header: t('operator.name'),
              cell: ({ name, status }) => (
                <CellLines main={name} second={<StatusBadge status={status} locale={locale} bare />} />
              ),
              width: '22%',
              phone: 'first',
            },
            {
              header: t('operator.providerAnswer'),
              cell: ({ provider }) => provider ?? '–',
              isQuiet: true,
              phone: 'second',
            },
            {
              header: t('operator.agentAnswer'),
              cell: ({ agent }) => (
                <CellLines
                  main={
                    agent
                      ? t(agent.connected ? 'operator.agentConnected' : 'operator.agentSilent', {
                          at: agent.lastSeenAt ? formatDayAndTimeWithin(agent.lastSeenAt, now, locale) : '–',
                        })
                      : '–'
                  }
                  second={agent?.said}
                />
              ),
              width: '34%',
              isQuiet: true,
              phone: 'second',
            },
          ]}
        />
      </Panel>
    </>
  )
}
