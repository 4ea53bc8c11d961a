import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type TextKey, useText } from '../../locales/text.ts'
import classes from './CreateSteps.module.css'
import type { CreateStep } from './create-search.ts'

export const stepTitles: Record<CreateStep, TextKey> = {
  flavour: 'create.stepFlavour',
  hardware: 'create.stepHardware',
  version: 'create.stepVersion',
  reach: 'create.stepReach',
  review: 'create.stepReview',
}

interface CreateStepsProps {
  steps: readonly CreateStep[]
  at: number
  /** The last one charges. */
  costs: boolean
}

/** Where one is among the steps; those behind lead back. */
export function CreateSteps({ steps, at, costs }: CreateStepsProps) {
  const t = useText()
  return (
    <ol className={classes.steps} aria-label={t('create.stepsLabel')}>
      {steps.map((step, index) => {
        const isDone = index < at
        const words = (
          <>
            <span className={classes.number} data-done={isDone ? '' : undefined}>
              {isDone ? <IconCheck size={13} stroke={2.4} aria-hidden="true" /> : index + 1}
            </span>
            <span className={classes.title}>
              {t(step === 'review' && costs ? 'create.stepReviewPay' : stepTitles[step])}
            </span>
            {isDone && <span className="visually-hidden"> {t('create.stepDone')}</span>}
          </>
        )
        return (
          <li
            key={step}
            className={classes.step}
            data-at={index === at || undefined}
            aria-current={index === at ? 'step' : undefined}
          >
            {isDone ? (
              <Link to="." search={(before) => ({ ...before, step })}>
                {words}
              </Link>
            ) : (
              words
            )}
          </li>
        )
      })}
    </ol>
  )
}
