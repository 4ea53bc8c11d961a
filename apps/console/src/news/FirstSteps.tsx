import { type FirstStep, firstStepsDismiss, type firstStepsShow, passwordKept } from '@atoll/contract/accounts'
import type { CallData } from '@atoll/contract/wire'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useClusters } from '../clusters/use-clusters.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { useText } from '../locales/text.ts'
import classes from './FirstSteps.module.css'

interface FirstStepsProps {
  steps: CallData<typeof firstStepsShow>['steps']
}

/** A new account's first steps: each is ticked by facts, and the possible ones are links. */
export function FirstSteps({ steps }: FirstStepsProps) {
  const t = useText()
  const dismiss = useCallMutation(firstStepsDismiss, { toast: true })
  const kept = useCallMutation(passwordKept, { toast: true })
  const wayTo = useWays(steps)
  const done = steps.filter(({ isDone }) => isDone)
  return (
    <section className={classes.card} aria-labelledby="first-steps">
      <div className={classes.head}>
        <h2 id="first-steps" className={classes.title}>
          {t('firstSteps.title')}
        </h2>
        <span className={classes.count}>{t('firstSteps.count', { done: done.length, count: steps.length })}</span>
        <ChangeButton size="xs" variant="subtle" loading={dismiss.isPending} onClick={() => dismiss.mutate({})}>
          {t('firstSteps.dismiss')}
        </ChangeButton>
      </div>
      <ol className={classes.steps}>
        {steps.map(({ step, isDone }) => {
          const way = isDone ? undefined : wayTo(step)
          return (
            <li key={step} className={classes.step} data-done={isDone || undefined}>
              {isDone ? (
                <IconCircleCheckFilled size={18} aria-label={t('firstSteps.isDone')} role="img" />
              ) : (
                <IconCircleDashed size={18} stroke={1.6} aria-hidden="true" />
              )}
              <div className={classes.words}>
                {way ? (
                  <Link {...way} className={classes.link}>
                    {t(`firstSteps.${step}`)}
                  </Link>
                ) : (
                  <span>{t(`firstSteps.${step}`)}</span>
                )}
                {!isDone && <span className={classes.help}>{t(`firstSteps.${step}Help`)}</span>}
              </div>
              {step === 'password' && way && (
                <ChangeButton size="xs" loading={kept.isPending} onClick={() => kept.mutate({})}>
                  {t('firstSteps.kept')}
                </ChangeButton>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Where each step is done; undefined: another one comes before it. */
function useWays(steps: FirstStepsProps['steps']): (step: FirstStep) => LinkProps | undefined {
  const { clusters = [] } = useClusters()
  const isDone = (step: FirstStep) => steps.some((one) => one.step === step && one.isDone)
  const next = clusters.find(({ actions }) => actions.includes('activate'))
  return (step) => {
    if (step === 'email') return { to: '/profile' }
    if (step === 'create') return { to: '/create/{-$uid}' }
    if (step === 'activate') return next && { to: '/cluster/$clusterId', params: { clusterId: next.clusterId } }
    return isDone(step === 'backup' ? 'activate' : 'backup') ? { to: '/backup' } : undefined
  }
}
