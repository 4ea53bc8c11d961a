import { type Notice, type NoticeKey, noticeSeen } from '@atoll/contract/billing'
import { formatFigure } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconGauge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatRate } from '../../../billing/shared/format-rate.ts'
import { useInit } from '../../../data/home-queries.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { sentenceGap } from '../../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './PastDueNotice.module.css'

/**
 * Notices about the quotas of the account's plan, on every page (spec §4, "Notice kinds"); those not known yet are left
 * out.
 */
export function UsageNotices() {
  const t = useText()
  const notices = (useInit().data?.notices ?? []).filter(({ key }) => gravity.includes(key))
  const [showsAll, setShowsAll] = useState(false)
  const [first, ...rest] = notices.toSorted((a, b) => gravity.indexOf(a.key) - gravity.indexOf(b.key))
  if (!first) return null
  const toggle = rest.length > 0 && (
    <Button size="xs" variant="subtle" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
      {showsAll ? t('notice.fewer') : t('notice.more', { count: rest.length })}
    </Button>
  )
  return (
    <>
      <UsageNotice notice={first}>{toggle}</UsageNotice>
      {showsAll && rest.map((notice) => <UsageNotice key={notice.object} notice={notice} />)}
    </>
  )
}

/** The gravest first: it stands alone until the others are asked for. */
const gravity: readonly NoticeKey[] = ['usageLimited', 'usageCharged', 'usageNear', 'usageOpen']

interface UsageNoticeProps {
  notice: Notice
  children?: ReactNode
}

function UsageNotice({ notice: { kind, key, object, params }, children }: UsageNoticeProps) {
  const t = useText()
  const locale = useLocale()
  const seen = useCallMutation(noticeSeen)
  const { used, quota, unitLabel, rate, currency } = params
  const what = t(`notice.${object}`)
  const amount = `${formatFigure(quota, 1, locale)} ${unitLabel}`
  const cost = rate !== null && t('notice.rate', { quota: amount, unit: unitLabel, rate: formatRate(rate, currency) })
  const words = {
    usageNear: () => [
      t('notice.near', { what, percent: Math.floor((used / quota) * 100) }),
      cost || t('notice.nearStops', { quota: amount }),
    ],
    usageCharged: () => [t('notice.charged', { what }), cost],
    usageLimited: () => [t('notice.limited', { what }), t('notice.limitedHelp', { what })],
    usageOpen: () => [t('notice.open', { what })],
  }
  const [title, help] = words[key]()
  const Icon = kind === 'SUCCESSFUL' ? IconCircleCheck : IconGauge
  return (
    <div className={classes.strip} data-kind={kind} role="status">
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <p className={classes.words}>
        <b>{title}</b>
        {help && sentenceGap(locale) + help}
      </p>
      {children}
      {kind === 'SUCCESSFUL' ? (
        <ChangeButton size="xs" loading={seen.isPending} onClick={() => seen.mutate({ object })}>
          {t('notice.seen')}
        </ChangeButton>
      ) : (
        <Button size="xs" renderRoot={(props) => <Link {...props} to="/billing" />}>
          {t('notice.plans')}
        </Button>
      )}
    </div>
  )
}
