import type { Domain } from '@atoll/contract/domains'
import { useText } from '../../locales/text.ts'
import { nextOf, stepAt, stepCount } from '../domain-steps.ts'
import classes from '../List.module.css'

/** Which of the eight steps a domain is at, in words and as a bar. */
export function StepBar({ domain }: { domain: Domain }) {
  const t = useText()
  const at = stepAt(domain)
  const { colour } = nextOf(domain)
  const isDone = domain.status === 'ALLOCATED' && domain.problem === null
  return (
    <span className={classes.stepCell}>
      <span className={classes.stepWords}>
        {isDone ? t('domains.allDone', { count: stepCount }) : t('domains.stepOf', { step: at + 1, count: stepCount })}
      </span>
      <span className={classes.segments} aria-hidden="true">
        {Array.from({ length: stepCount }, (_, index) => index).map((index) => (
          <i key={index} data-tone={isDone || index < at ? 'done' : index === at ? colour : undefined} />
        ))}
      </span>
    </span>
  )
}
