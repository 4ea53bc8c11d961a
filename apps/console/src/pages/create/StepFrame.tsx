import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Init } from '../../api/queries.ts'
import { type TextKey, useText } from '../../i18n/text.ts'
import { CreateSteps, stepTitles } from './CreateSteps.tsx'
import { CreateSummary } from './CreateSummary.tsx'
import classes from './CreateWizard.module.css'
import type { CreateChoice } from './create-choice.ts'
import { type CreateStep, createSteps } from './create-search.ts'

interface StepFrameProps {
  step: CreateStep
  title: string
  lead: string
  init: Init
  choice: CreateChoice
  /** Instead of 'Continue to …': the button that creates. */
  action?: ReactNode
  /** Why one cannot go on. */
  blocked?: boolean
  children: ReactNode
}

const continueTo: Record<CreateStep, TextKey> = {
  flavour: 'create.toHardware',
  hardware: 'create.toVersion',
  version: 'create.toReview',
  review: 'create.toReview',
}

/** One step: its question at the left, the summary with the way on at the right, the way back below. */
export function StepFrame({ step, title, lead, init, choice, action, blocked = false, children }: StepFrameProps) {
  const t = useText()
  const at = createSteps.indexOf(step)
  const before = createSteps[at - 1]
  const after = createSteps[at + 1]
  return (
    <div className={classes.columns}>
      <div className={classes.question}>
        <CreateSteps at={at} />
        <h1 tabIndex={-1} data-page-title="">
          {title}
        </h1>
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
        </div>
      </div>
      <CreateSummary init={init} choice={choice} note={after && t('create.notCharged')}>
        {action ?? (
          <Button
            variant="filled"
            size="lg"
            fullWidth
            disabled={blocked}
            rightSection={<IconArrowRight size={17} stroke={1.6} aria-hidden="true" />}
            renderRoot={(props) =>
              blocked ? (
                <button type="button" {...props} />
              ) : (
                <Link {...props} to="." search={(search) => ({ ...search, step: after ?? step })} />
              )
            }
          >
            {t(continueTo[step])}
          </Button>
        )}
      </CreateSummary>
    </div>
  )
}
