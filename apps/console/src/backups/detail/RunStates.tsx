import type { Snapshot } from '@atoll/contract/backups'
import { StatusDot } from '@atoll/ui'
import { IconCheck } from '@tabler/icons-react'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { useText } from '../../locales/text.ts'
import { runLooks } from '../run-looks.ts'
import classes from './RunStates.module.css'

const order = ['Pending', 'Started', 'Running', 'Completed'] as const

/** The states of a run that is under way, with how long each took (board 26). */
export function RunStates({ run }: { run: Snapshot }) {
  const t = useText()
  useNow(1000)
  const begins = [run.createdAt, run.startedAt, run.runningAt].map((at) => (at === null ? undefined : Date.parse(at)))
  const here = order.findIndex((state) => state === run.state)
  return (
    <ol className={classes.states} aria-label={t('backups.state')}>
      {order.map((state, index) => {
        const isPast = index < here
        const [begun, ended] = [begins[index], isPast ? begins[index + 1] : serverNow()]
        const { label, shape } = lookOf(runLooks, state)
        return (
          <li key={state} data-past={isPast || undefined} aria-current={index === here ? 'step' : undefined}>
            {isPast ? (
              <IconCheck size={15} stroke={1.9} aria-hidden="true" />
            ) : index === here ? (
              <StatusDot colour="amber" shape={shape} />
            ) : (
              <StatusDot colour="grey" shape="hollow" />
            )}
            {t(label)}
            {index <= here && begun !== undefined && ended !== undefined && (
              <span>{formatStopwatch(ended - begun)}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
}
