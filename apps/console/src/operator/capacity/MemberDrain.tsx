import { type CapacityMemberRow, type CapacityRegion, drainStop } from '@atoll/contract/staff'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { type TextKey, textOf, useLocale, useText } from '../../locales/text.ts'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { DrainDialog } from './DrainDialog.tsx'

type Drain = NonNullable<CapacityMemberRow['drain']>

const words: Record<Drain['state'], TextKey> = {
  running: 'capacity.drainRunning',
  done: 'capacity.drainDone',
  noRoom: 'capacity.drainNoRoom',
  over: 'capacity.drainOver',
  left: 'capacity.drainRest',
  stopped: 'capacity.drainStopped',
}
/** How long the page says how a drain ended, ms. */
const saidMs = 7 * 24 * 60 * 60_000

/** How the newest drain of a member stands, or ended lately. */
export function DrainWords({ drain }: { drain: CapacityMemberRow['drain'] }) {
  const t = useText()
  const locale = useLocale()
  const now = serverNow()
  if (!drain || (drain.endedAt !== null && now - Date.parse(drain.endedAt) > saidMs)) return null
  const waits = drain.state === 'running' && now < Date.parse(drain.beginsAt)
  return (
    <div className="small quiet">
      {waits
        ? t('capacity.drainFrom', { at: formatDayAndTimeWithin(drain.beginsAt, now, locale) })
        : t(textOf(words, drain.state), { moved: drain.moved })}
    </div>
  )
}

interface MemberDrainProps {
  region: CapacityRegion
  row: CapacityMemberRow
  onChanged: () => void
}

/** The button that drains a member, or stops its drain. */
export function MemberDrain({ region, row, onChanged }: MemberDrainProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const stop = useCallMutation(drainStop, { toast: true, onSuccess: onChanged })
  const { member, drain } = row
  const running = drain?.state === 'running' ? drain : undefined
  const act = t(running ? 'capacity.drainStop' : 'capacity.drain')
  return (
    <>
      <OperatorButton
        size="xs"
        loading={stop.isPending}
        aria-label={t('operator.actOn', { act, id: member })}
        onClick={() => (running ? stop.mutate({ drainId: running.drainId }) : setOpen(true))}
      >
        {act}
      </OperatorButton>
      {isOpen && (
        <DrainDialog
          region={region}
          member={member}
          onClose={() => {
            setOpen(false)
            onChanged()
          }}
        />
      )}
    </>
  )
}
