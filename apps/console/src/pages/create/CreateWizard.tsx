import { useEffect, useRef } from 'react'
import type { Init } from '../../api/queries.ts'
import { focusPageTitle } from '../../components/shell/use-route-focus.ts'
import classes from './CreateWizard.module.css'
import { resolveChoice } from './create-choice.ts'
import { FlavourStep } from './FlavourStep.tsx'
import { HardwareStep } from './HardwareStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { useCreateSearch } from './use-create-search.ts'
import { VersionStep } from './VersionStep.tsx'

export interface StepProps {
  init: Init
  userid: string
}

const pages = { flavour: FlavourStep, hardware: HardwareStep, version: VersionStep, review: ReviewStep }

/** The steps, one at a time. The step and every choice stand in the address. */
export function CreateWizard(props: StepProps) {
  const { search } = useCreateSearch()
  const choice = resolveChoice(search, props.init.instanceInfo)
  const wanted = search.step ?? 'flavour'
  // Without anything to order there is nothing to review.
  const step = wanted === 'review' && !choice.offer ? 'hardware' : wanted
  const Page = pages[step]

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
      <Page {...props} />
    </div>
  )
}
