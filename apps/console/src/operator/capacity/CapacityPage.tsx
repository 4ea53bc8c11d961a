import { countRows } from '@atoll/contract/wire'
import { LookBadge } from '../parts/LookBadge.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import '@mantine/core/styles/Switch.layer.css'
import { type CapacityMemberRow, type CapacityRegion, capacityAccept, capacityShow } from '@atoll/contract/staff'
import { Meter, PageHeader } from '@atoll/ui'
import { formatFigure, formatMiB } from '@atoll/ui/i18n'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { DocumentLook } from '../../billing/shared/document-looks.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatClock } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import classes from './Capacity.module.css'
import { LimitsDialog } from './LimitsDialog.tsx'
import { DrainWords, MemberDrain } from './MemberDrain.tsx'

/** How often the page is read again, ms: the machines are asked each minute. */
const everyMs = 30_000

const looks: Record<CapacityMemberRow['state'], DocumentLook> = {
  online: { label: 'capacity.inService', colour: 'green', shape: 'disc' },
  resting: { label: 'capacity.resting', colour: 'amber', shape: 'square' },
  lost: { label: 'capacity.lost', colour: 'coral', shape: 'square' },
  full: { label: 'capacity.full', colour: 'coral', shape: 'square' },
}

/** The machines of each region: what is sold of them, what is really used, and whether they take orders. */
export function CapacityPage() {
  const t = useText()
  const locale = useLocale()
  usePageTitle(t('capacity.title'))
  useCrumb(t('capacity.title'))
  const query = useCall(capacityShow, {}, { refetchInterval: everyMs })
  return (
    <ObjectPage query={query} page={t('capacity.title')} errorTitle={t('capacity.error')}>
      {({ regions }) => (
        <>
          <PageHeader title={t('capacity.title')}>
            {t('capacity.asOf', { at: formatClock(query.dataUpdatedAt, locale) })}
          </PageHeader>
          <div className={classes.regions}>
            {regions.map((region) => (
              <RegionPanel
                key={`${region.cloudName}/${region.regionId}`}
                region={region}
                onChanged={() => void query.refetch()}
              />
            ))}
          </div>
        </>
      )}
    </ObjectPage>
  )
}

function RegionPanel({ region, onChanged }: { region: CapacityRegion; onChanged: () => void }) {
  const t = useText()
  const locale = useLocale()
  const refusal = useOperatorsOnly()
  const [isLimiting, setLimiting] = useState(false)
  const accept = useCallMutation(capacityAccept, { toast: true, onSuccess: onChanged })
  const { cloudName, regionId, title, instances, isLimited, factors, room, members } = region
  const place = { cloudName, regionId }
  const note = [
    t('capacity.instances', { count: instances }),
    room && members.length > 0 ? t('capacity.room', { count: room.count, type: room.offering }) : null,
    t(isLimited ? 'capacity.factors' : 'capacity.noLimits', { ...factors }),
  ]
  const toggle = (label: string, accepts: boolean, change: (accepts: boolean) => void) => (
    <Switch
      aria-label={label}
      checked={accepts}
      disabled={refusal !== undefined || accept.isPending}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
  const share = (
    { sold, total, real, used }: CapacityMemberRow,
    resource: 'cpu' | 'memory' | 'disk',
    text: (value: number) => string,
  ) => {
    const part = total[resource] > 0 ? sold[resource] / total[resource] : 0
    const busy = used[resource]
    const label = t('capacity.soldOf', { sold: text(sold[resource]), total: text(total[resource]) })
    const really =
      busy === null || real[resource] === 0
        ? t('capacity.sold', { percent: Math.round(part * 100) })
        : t('capacity.soldUsed', { percent: Math.round(part * 100), used: Math.round((busy / real[resource]) * 100) })
    return (
      <span className={classes.share}>
        {label}
        <Meter share={part} height={4} label={label} />
        <span className="small quiet">{really}</span>
      </span>
    )
  }
  return (
    <Panel
      title={title}
      note={
        <span className={classes.note}>
          {note.filter(Boolean).join(' · ')}
          <OperatorButton
            size="xs"
            aria-label={t('operator.actOn', { act: t('capacity.limits'), id: title })}
            onClick={() => setLimiting(true)}
          >
            {t('capacity.limits')}
          </OperatorButton>
          {toggle(t('capacity.acceptIn', { place: `${title} ${cloudName}` }), region.accepts, (accepts) =>
            accept.mutate({ ...place, accepts }),
          )}
        </span>
      }
    >
      {isLimiting && (
        <LimitsDialog
          region={region}
          onClose={() => {
            setLimiting(false)
            onChanged()
          }}
        />
      )}
      {countRows(members) === 0 ? (
        <p className={classes.none}>{t('capacity.notRead')}</p>
      ) : (
        <DataTable
          label={t('capacity.membersOf', { region: title })}
          rows={members}
          rowKey={({ member }) => member}
          columns={[
            {
              header: t('capacity.member'),
              cell: ({ member, instances: count }) => (
                <CellLines main={member} second={t('capacity.instances', { count })} />
              ),
              width: '16%',
              phone: 'first',
            },
            {
              header: t('capacity.state'),
              cell: ({ state, drain }) => (
                <>
                  <LookBadge looks={looks} state={state} />
                  <DrainWords drain={drain} />
                </>
              ),
              width: '14%',
              phone: 'first-end',
            },
            { header: t('capacity.cpu'), cell: (row) => share(row, 'cpu', (value) => formatFigure(value, 1, locale)) },
            { header: t('capacity.memory'), cell: (row) => share(row, 'memory', (value) => formatMiB(value, locale)) },
            { header: t('capacity.disk'), cell: (row) => share(row, 'disk', (value) => formatMiB(value, locale)) },
            {
              header: t('capacity.newOrders'),
              cell: ({ member, accepts }) =>
                toggle(t('capacity.acceptIn', { place: `${member} ${cloudName}` }), accepts, (now) =>
                  accept.mutate({ ...place, member, accepts: now }),
                ),
              width: '10%',
            },
            {
              header: t('capacity.drain'),
              cell: (row) => <MemberDrain region={region} row={row} onChanged={onChanged} />,
              width: '10%',
              isActions: true,
            },
          ]}
        />
      )}
    </Panel>
  )
}
