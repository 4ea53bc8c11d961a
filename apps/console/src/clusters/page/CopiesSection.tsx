import { clusterChooseMachine, type Resource } from '@atoll/contract/clusters'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOnline } from '../../kit/browser/use-online.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { calledInstance } from '../card/instance-name.ts'
import classes from '../frame/ClusterPage.module.css'
import own from './CopiesSection.module.css'

type Copies = Resource['copies'][number]

/** Machines that run with copies of one disk: which serves, which are refused, and the choice between them. */
export function CopiesSection({ cluster: { clusterId }, copies }: { cluster: Resource; copies: Copies }) {
  const t = useText()
  const locale = useLocale()
  const online = useOnline()
  const choose = useCallMutation(clusterChooseMachine)
  const { instanceId, name, isAnswered, serving, refused } = copies
  const id = `copies-${instanceId}`
  const titleOf = ({ hostName, bootId }: Copies['serving']) =>
    t('copies.machine', { host: hostName || t('copies.unnamed'), boot: bootId.slice(0, 8) })
  const time = ({ at }: Copies['serving']) => formatDayAndTimeWithin(at, serverNow(), locale)
  const row = (machine: Copies['serving'], isServing: boolean) => (
    <li key={machine.bootId} className={own.row}>
      <div className="grow">
        <div className="strong">{titleOf(machine)}</div>
        <div className="small quiet">{t(isServing ? 'copies.serves' : 'copies.refused', { time: time(machine) })}</div>
      </div>
      {!(isServing && isAnswered) && (
        <ChangeButton
          size="xs"
          disabled={!online || choose.isPending}
          aria-label={t('common.labelled', {
            label: t(isServing ? 'copies.keep' : 'copies.choose'),
            value: titleOf(machine),
          })}
          onClick={() => choose.mutate({ clusterId, instanceId, bootId: machine.bootId })}
        >
          {t(isServing ? 'copies.keep' : 'copies.choose')}
        </ChangeButton>
      )}
    </li>
  )
  return (
    <section className="box clip" aria-labelledby={id}>
      <div className={classes.cardHeader}>
        <h2 id={id}>{t('copies.title', { instance: calledInstance(name, t) })}</h2>
      </div>
      <div className={own.body}>
        <p>{t(isAnswered ? 'copies.answered' : 'copies.text')}</p>
        <FailureNotice error={choose.error} />
      </div>
      <ul className={own.rows}>
        {row(serving, true)}
        {refused.map((machine) => row(machine, false))}
      </ul>
      <UnreadableRows of={refused} />
    </section>
  )
}
