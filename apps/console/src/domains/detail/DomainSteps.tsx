import type { DomainDetail } from '@atoll/contract/domains'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { serverNow } from '../../config/runtime-config.ts'
import { useIsNarrow } from '../../kit/browser/use-is-narrow.ts'
import { formatTime } from '../../kit/format/times.ts'
import { type Translate, useLocale, useText } from '../../locales/text.ts'
import classes from '../Detail.module.css'
import { type DomainStep, stepAt, stepCount, stepsOf } from '../domain-steps.ts'

/** The eight steps at the left of the page; on a phone folded into the one that is being taken. */
export function DomainSteps({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const isNarrow = useIsNarrow()
  const at = stepAt(detail)
  const steps = stepsOf(detail)
  const here = steps[at]
  const after = steps[at + 1]
  if (!isNarrow || !here) return <StepList detail={detail} steps={steps} at={at} />
  const place = t('domains.stepOf', { step: at + 1, count: stepCount })
  return (
    <details className={classes.folded}>
      <summary>
        <span className={classes.stepMark} data-state="now" aria-hidden="true">
          {at + 1}
        </span>
        <span className={classes.foldedWords}>
          <b>{t(here.title)}</b>
          <span>{after ? t('domains.stepThen', { place, next: t(after.title) }) : place}</span>
        </span>
        <IconChevronDown className={classes.chevron} size={18} stroke={1.8} aria-hidden="true" />
      </summary>
      <StepList detail={detail} steps={steps} at={at} />
    </details>
  )
}

function StepList({ detail, steps, at }: { detail: DomainDetail; steps: readonly DomainStep[]; at: number }) {
  const t = useText()
  const locale = useLocale()
  return (
    <ol className={classes.steps} aria-label={t('domains.steps')}>
      {steps.map((step, index) => {
        const { status, title, hint } = step
        const state = index < at ? 'done' : index === at ? 'now' : 'later'
        const words = state === 'done' ? doneWords(step, detail, t, locale) : undefined
        return (
          <li key={status} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className={classes.stepMark} data-state={state} aria-hidden="true">
              {state === 'done' ? <IconCheck size={14} stroke={2.2} /> : index + 1}
            </span>
            <span className={classes.stepText}>
              <span className={classes.stepTitle}>
                {t(title)}
                {state === 'done' && <span className="visually-hidden">{t('domains.stepDone')}</span>}
              </span>
              <span className={classes.stepHint}>{words ?? t(hint)}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Facts about a finished step. */
function doneWords(
  { status, done }: DomainStep,
  { provenAt, rule_type: ruleType, rule_data: suffixes }: DomainDetail,
  t: Translate,
  locale: ReturnType<typeof useLocale>,
): string | undefined {
  if (status === 'WAIT_TXT' && provenAt)
    return t('domains.txtSeen', { time: formatTime(provenAt, serverNow(), locale) })
  if (status !== 'WAIT_RULE_SET') return done && t(done)
  if (ruleType === 'fixed_email_suffix')
    return t('domains.mayJoinShort', { suffixes: suffixes?.replaceAll(',', ', ') ?? '' })
  return t('domains.invitedOnly')
}
