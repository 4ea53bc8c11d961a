import { installTime, type Resource } from '@atoll/contract/clusters'
import { InstallStepper, type StepView } from '@atoll/ui'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useText } from '../../locales/text.ts'
import { isBeingMade } from '../card/progress-steps.ts'
import { useProgress } from '../card/use-progress.ts'
import classes from './PaidPage.module.css'

const minuteMs = 60_000

/** The steps from the payment to the activation, with about how long they still take, where that is known. */
export function InstallPanel({ cluster }: { cluster: Resource }) {
  const t = useText()
  const { steps } = useProgress(cluster)
  const minutes = useMinutesLeft(cluster)
  const { status, osActive } = cluster
  const own: StepView = {
    key: 'activate',
    title: t('paid.stepYours'),
    ...(osActive
      ? { state: 'done', stateText: t('steps.stateDone') }
      : status === 'inactivated'
        ? { state: 'running', stateText: t('steps.stateRunning') }
        : { state: 'pending', stateText: t('steps.statePending') }),
    duration: '',
  }
  const paid: StepView = {
    key: 'paid',
    title: t('paid.stepPaid'),
    state: 'done',
    duration: '',
    stateText: t('steps.stateDone'),
  }
  return (
    <Panel title={t('paid.now')} note={minutes !== undefined && t('paid.aboutLeft', { minutes })}>
      <div className={classes.steps}>
        <InstallStepper steps={[paid, ...steps, own]} label={t('detail.stepsLabel')} />
      </div>
      {isBeingMade(cluster) && <p className={classes.foot}>{t('paid.leave')}</p>}
    </Panel>
  )
}

/**
 * Estimated minutes left, at least one: the median of the last installs of its size here. Undefined without any, if it
 * takes longer than that, or if it is not being made.
 */
function useMinutesLeft(cluster: Resource): number | undefined {
  const { cloudName, offering, operation } = cluster
  const asked = isBeingMade(cluster) && cloudName !== null && offering !== null
  const size = { cloudName: cloudName ?? '', offering: offering ?? '' }
  const seconds = useCall(installTime, size, { enabled: asked }).data?.seconds ?? null
  if (!asked || seconds === null || operation === null) return undefined
  const left = Date.parse(operation.startedAt) + seconds * 1000 - serverNow()
  return left > 0 ? Math.ceil(left / minuteMs) : undefined
}
