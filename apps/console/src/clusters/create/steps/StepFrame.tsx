import type { PaymentMethod } from '@atoll/contract/payments'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type TextKey, useText } from '../../../locales/text.ts'
import type { CreateChoice } from '../../offers/create-choice.ts'
import { CreateSteps, stepTitles } from '../CreateSteps.tsx'
import classes from '../CreateWizard.module.css'
import type { CreateStep } from '../create-search.ts'
import type { StepProps } from '../step-props.ts'
import { stepsOf } from '../steps-of.ts'
import { CreateSummary } from '../summary/CreateSummary.tsx'
import { SelfHostSummary } from '../summary/SelfHostSummary.tsx'
import { useCreateSearch } from '../use-create-search.ts'

interface StepFrameProps {
  step: CreateStep
  title: string
  lead: string
  init: StepProps['init']
  choice: CreateChoice
  /** Instead of 'Continue to …': the button that creates. */
  action?: ReactNode
  /** Why one cannot go on, in words. */
  blocked?: string | undefined
  /** Under the way on, while one can. */
  note?: ReactNode
  /** The card that pays, where one was chosen. */
  payer?: PaymentMethod | undefined
  children: ReactNode
}

const continueTo: Record<CreateStep, TextKey> = {
  flavour: 'create.toFlavour',
  hardware: 'create.toHardware',
  version: 'create.toVersion',
  reach: 'create.toReach',
  review: 'create.toReview',
}

/** One step: its question at the left, the summary with the way on at the right, the way back below. */
export function StepFrame({ step, title, lead, init, choice, action, blocked, note, payer, children }: StepFrameProps) {
  const t = useText()
  const { search: chosen } = useCreateSearch()
  const steps = stepsOf(chosen, init.instanceInfo)
  const at = steps.indexOf(step)
  const isSelfHosted = chosen.flavour === 'SelfHost'
  const costs = !isSelfHosted && (choice.offer?.price?.amount ?? 0) > 0
  const before = steps[at - 1]
  const after = steps[at + 1]
  const goOn = action ?? (
    <Button
      variant="filled"
      size="lg"
      fullWidth
      disabled={blocked !== undefined}
      rightSection={<IconArrowRight size={17} stroke={1.6} aria-hidden="true" />}
      renderRoot={(props) =>
        blocked !== undefined ? (
          <button type="button" {...props} />
        ) : (
          <Link {...props} to="." search={(search) => ({ ...search, step: after ?? step })} />
        )
      }
    >
      {t(continueTo[after ?? step])}
    </Button>
  )
  return (
    <div className={classes.columns}>
      <div className={classes.question}>
        <CreateSteps steps={steps} at={at} costs={costs} />
        <h1 tabIndex={-1}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
        {children}
        <div className={classes.back}>
          {before && (
            <Button
              variant="subtle"
              leftSection={<IconArrowLeft size={16} stroke={1.6} aria-hidden="true" />}
              renderRoot={(props) => <Link {...props} to="." search={(search) => ({ ...search, step: before })} />}
            >
              {t(stepTitles[before])}
            </Button>
          )}
          {step === 'review' && costs && <span className="small quiet">{t('create.anyTime')}</span>}
        </div>
      </div>
      {isSelfHosted ? (
        <SelfHostSummary note={blocked ?? (after && t('create.notCharged'))}>{goOn}</SelfHostSummary>
      ) : (
        <CreateSummary
          init={init}
          choice={choice}
          payer={payer}
          note={blocked ?? note ?? (after && step !== 'review' ? t('create.notCharged') : undefined)}
        >
          {goOn}
        </CreateSummary>
      )}
    </div>
  )
}
