import type { DomainDetail } from '@atoll/contract/domains'
import { PageHeader, StateBadge } from '@atoll/ui'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useIsNarrow } from '../../kit/browser/use-is-narrow.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import detailClasses from '../Detail.module.css'
import classes from '../Domains.module.css'
import { DelegateDialog } from '../dialogs/DelegateDialog.tsx'
import { TransferDialog } from '../dialogs/TransferDialog.tsx'
import { nextOf, stepAt, stepCount } from '../domain-steps.ts'
import { useDomainActions } from '../use-domain-actions.ts'
import { BoundView } from './BoundView.tsx'
import { DomainSteps } from './DomainSteps.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { StepWork } from './StepWork.tsx'

interface DomainViewProps {
  detail: DomainDetail
  onGone: () => void
}

/** A domain: the step that it is at, or, in use, what it is used for (boards 10 and 24). */
export function DomainView({ detail, onGone }: DomainViewProps) {
  const t = useText()
  const locale = useLocale()
  const isNarrow = useIsNarrow()
  const [isDelegating, setDelegating] = useState(false)
  const [isOffering, setOffering] = useState(false)
  const { domain, shown, status, methods, problem, createAt, look } = detail
  const canDelegate = methods.includes('ns')
  const all = useDomainActions(detail, {
    onDelegateApex: () => setDelegating(true),
    onTransfer: () => setOffering(true),
    onGone,
  })
  // Another way is offered only where this deployment has one.
  const actions = all.filter(({ key }) => key !== 'method' || canDelegate || detail.method === 'ns')
  const isInUse = status === 'ALLOCATED'
  const headed = actions.filter(({ key, danger }) => key !== 'check' && !(danger && isInUse))
  const shownButtons = headed.slice(0, isNarrow ? 1 : 2)
  const rest = headed.slice(shownButtons.length)
  const next = nextOf(detail)
  const now = serverNow()
  return (
    <>
      <PageHeader
        title={shown}
        badge={
          <StateBadge
            colour={next.colour}
            shape={next.shape}
            tint={problem && next.colour === 'coral' ? 'coral' : undefined}
          >
            {(problem && next.colour !== 'amber') || stepAt(detail) < 0
              ? t(next.title)
              : isInUse
                ? t('domains.ready')
                : t('domains.stepOf', { step: stepAt(detail) + 1, count: stepCount })}
          </StateBadge>
        }
        actions={
          <>
            {shownButtons.map(({ key, label, danger, onSelect }, index) => (
              <ChangeButton key={key} variant={index > 0 || danger ? 'subtle' : 'default'} onClick={onSelect}>
                {label}
              </ChangeButton>
            ))}
            {rest.length > 0 && <ActionMenu label={t('common.more', { name: shown })} size={36} actions={rest} />}
          </>
        }
      >
        {shown !== domain && (
          <>
            <code className={classes.code}>{domain}</code>
            {t('money.dot')}
          </>
        )}
        {t('domains.startedOn', { time: formatTime(createAt, now, locale) })}
        {look.until && detail.problem?.key !== 'noNameServers' && (
          <>
            {t('money.dot')}
            <Deadline at={look.until} now={now}>
              {t('domains.checkedUntil', { time: formatDeadline(look.until, now, locale) })}
            </Deadline>
          </>
        )}
      </PageHeader>
      <div className={classes.problem}>
        <ProblemNotice domain={detail} />
      </div>
      {isInUse ? (
        <BoundView detail={detail} actions={actions} />
      ) : (
        <div className={detailClasses.columns}>
          <DomainSteps detail={detail} />
          <StepWork detail={detail} />
        </div>
      )}
      {isOffering && <TransferDialog detail={detail} onClose={() => setOffering(false)} />}
      {isDelegating && <DelegateDialog detail={detail} onClose={() => setDelegating(false)} />}
    </>
  )
}
