import { type ComponentType, useEffect, useRef, useState } from 'react'
import { focusPageTitle } from '../../../kit/browser/use-route-focus.ts'
import { useKeepsTyped } from '../../../session/typed.ts'
import { resolveChoice } from '../../offers/create-choice.ts'
import classes from '../CreateWizard.module.css'
import type { CreateStep } from '../create-search.ts'
import { RestoreSourceNotice } from '../RestoreSourceNotice.tsx'
import { ReviewStep } from '../review/ReviewStep.tsx'
import { SelfHostReview } from '../review/SelfHostReview.tsx'
import { reachProblems } from '../self-host-order.ts'
import type { StepProps } from '../step-props.ts'
import { FlavourStep } from '../steps/FlavourStep.tsx'
import { HardwareStep } from '../steps/HardwareStep.tsx'
import { ReachStep } from '../steps/ReachStep.tsx'
import { VersionStep } from '../steps/VersionStep.tsx'
import { stepsOf } from '../steps-of.ts'
import { useCreateSearch } from '../use-create-search.ts'

const pages: Record<CreateStep, ComponentType<StepProps>> = {
  flavour: FlavourStep,
  hardware: HardwareStep,
  version: VersionStep,
  reach: ReachStep,
  review: ReviewStep,
}

/** The steps, one at a time. The step and every choice but secrets stand in the address. */
export function CreateWizard({ init, userid, source }: Pick<StepProps, 'init' | 'userid' | 'source'>) {
  const { search } = useCreateSearch()
  const [tunnelToken, setTunnelToken] = useState('')
  useKeepsTyped(tunnelToken !== '')
  const step = useStep(init, tunnelToken)
  const Page = step === 'review' && search.flavour === 'SelfHost' ? SelfHostReview : pages[step]

  // The link that was pressed is gone with its step: focus goes to the new question.
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    focusPageTitle()
    scrollTo({ top: 0 })
  }, [step])

  return (
    <div className={classes.wizard}>
      {source && <RestoreSourceNotice source={source} />}
      <Page init={init} userid={userid} source={source} tunnelToken={tunnelToken} onTunnelToken={setTunnelToken} />
    </div>
  )
}

/** The step of the address, or the last one before it that has to be answered first. */
function useStep({ instanceInfo }: StepProps['init'], tunnelToken: string): CreateStep {
  const { search } = useCreateSearch()
  const steps = stepsOf(search, instanceInfo)
  const wanted = steps.find((step) => step === search.step) ?? steps[0] ?? 'review'
  if (wanted !== 'review') return wanted
  if (steps.includes('reach')) return reachProblems(search, tunnelToken).length > 0 ? 'reach' : 'review'
  // Without anything to order there is nothing to review.
  return resolveChoice(search, instanceInfo).offer ? 'review' : 'hardware'
}
