import { customerInfo, forecast, timeTravel } from '@atoll/contract/billing'
import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { type AccountZone, formatDateAndTime, formatShortDate, zoneOffsetMs } from '../../kit/format/billing-dates.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import card from '../overview/card/BillingCard.module.css'
import { BillingCard } from '../overview/card/BillingCard.tsx'
import { useForeseen } from '../overview/forecast/use-foreseen.ts'
import { useAccountNow, useZone } from '../shared/use-customer.ts'
import classes from './ClockCard.module.css'
import { ClockCourse } from './ClockCourse.tsx'

const dayMs = 24 * 60 * 60_000

/** The clock of a sandbox account: forward, through all that is due on the way, never back. */
export function ClockCard() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const now = useAccountNow(1000)
  const [typed, setTyped] = useState<string>()
  const [isWrong, setWrong] = useState(false)
  const travel = useCallMutation(timeTravel)
  // The very question of the forecast's card: each is a year played through.
  const foreseen = useForeseen(forecast, { months: 12, cards: 'pay', usage: {} }).data
  const next = foreseen?.documents.find(({ at }) => Date.parse(at) > now)
  const value = typed ?? inputOf(now + dayMs, zone)
  const go = (to: string) => travel.mutate({ to }, { onSuccess: () => setTyped(undefined) })
  function goWhere(event: FormEvent) {
    event.preventDefault()
    const to = instantOf(value, zone)
    const isLater = to !== undefined && Date.parse(to) > now
    setWrong(!isLater)
    if (isLater) go(to)
  }
  return (
    <BillingCard
      title={t('billing.clock')}
      note={<Tag tone="amber">{t('billing.sandbox')}</Tag>}
      action={<span className={classes.now}>{formatDateAndTime(now, zone, locale)}</span>}
      query={useCall(customerInfo, {})}
      errorTitle={t('billing.clockError')}
      height={96}
    >
      {({ clockOffset, travel: course }) => (
        <div className={card.body}>
          <p className={card.quiet}>{t('billing.clockHelp')}</p>
          <p className={card.quiet}>
            {clockOffset > 0
              ? t('billing.clockAhead', { wall: formatDateAndTime(serverNow(), zone, locale) })
              : t('billing.clockSame')}
          </p>
          <form className={classes.targets} onSubmit={goWhere} noValidate>
            {next && (
              <ChangeButton size="xs" disabled={travel.isPending} onClick={() => go(next.at)}>
                {t('billing.toNext', { date: formatShortDate(next.at, zone, locale) })}
              </ChangeButton>
            )}
            <ChangeButton size="xs" disabled={travel.isPending} onClick={() => go(new Date(now + dayMs).toISOString())}>
              {t('billing.toDay')}
            </ChangeButton>
            <ChangeButton
              size="xs"
              disabled={travel.isPending}
              onClick={() => go(new Date(now + 31 * dayMs).toISOString())}
            >
              {t('billing.toMonth')}
            </ChangeButton>
            <TextInput
              type="datetime-local"
              size="xs"
              className={classes.input ?? ''}
              aria-label={t('billing.toWhen')}
              value={value}
              min={inputOf(now, zone)}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setWrong(false)
              }}
              error={isWrong && t('billing.travelWrong')}
            />
            <ChangeButton type="submit" size="xs" variant="filled" loading={travel.isPending}>
              {t('billing.travel')}
            </ChangeButton>
          </form>
          <FailureNotice error={travel.error} className={classes.below} />
          {course && (
            <div className={classes.below}>
              <ClockCourse {...course} />
            </div>
          )}
        </div>
      )}
    </BillingCard>
  )
}

/** `2026-04-04T10:02` of an instant, ms. */
function inputOf(ms: number, zone: AccountZone): string {
  return new Date(ms + zoneOffsetMs[zone]).toISOString().slice(0, 16)
}

/** The instant as ISO 8601; undefined: nothing whole was typed. */
function instantOf(input: string, zone: AccountZone): string | undefined {
  const ms = Date.parse(`${input}:00.000Z`)
  return Number.isNaN(ms) ? undefined : new Date(ms - zoneOffsetMs[zone]).toISOString()
}
