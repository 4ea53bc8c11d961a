import { type AttentionFact, type AttentionItem, attentionList, attentionSnooze } from '@atoll/contract/staff'
import { lookUp } from '@atoll/contract/wire'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { formatClock, formatDayAndTimeWithin, formatUptime } from '../../kit/format/times.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { StaleNotice } from '../../kit/page/StaleNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { attentionLooks } from './attention-looks.ts'
import classes from './Overview.module.css'

/** A browser that is left open may ask again only when an event tells it to. */
const againMs = 30_000

/** Items that need a person, the worst first; snoozed ones last. */
export function AttentionCard() {
  const t = useText()
  const locale = useLocale()
  const query = useCall(attentionList, {}, { refetchInterval: againMs })
  const now = useNow(againMs)
  const { data, error } = query
  const retry = () => query.refetch()
  const isSnoozed = ({ snoozedUntil }: AttentionItem) => snoozedUntil !== null && Date.parse(snoozedUntil) > now
  const [waiting, snoozed] = [data?.items.filter((item) => !isSnoozed(item)), data?.items.filter(isSnoozed)]
  if (!data && error) return <LoadFailure title={t('operator.overviewError')} error={error} onRetry={retry} />
  return (
    <section className={classes.card} aria-label={t('operator.needsAttention')}>
      {data && error && <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={() => void retry()} />}
      <header className={classes.head}>
        <h2>{t('operator.needsAttention')}</h2>
        {waiting && waiting.length > 0 && <span className="small soft num">{waiting.length}</span>}
        <span className={classes.space} />
        {data && <span className="small soft">{t('operator.asOf', { at: formatClock(data.lookedAt, locale) })}</span>}
      </header>
      {!data && <Skeleton height={58} radius={0} />}
      {data?.items.length === 0 && <p className={classes.none}>{t('operator.nothingWaits')}</p>}
      <ul>
        {waiting?.map((item) => (
          <AttentionRow key={item.kind + item.key} item={item} now={now} />
        ))}
        {snoozed?.map((item) => (
          <AttentionRow key={item.kind + item.key} item={item} now={now} isSnoozed />
        ))}
      </ul>
    </section>
  )
}

function AttentionRow({ item, now, isSnoozed = false }: { item: AttentionItem; now: number; isSnoozed?: boolean }) {
  const t = useText()
  const locale = useLocale()
  const snooze = useCallMutation(attentionSnooze, { toast: true })
  const look = lookUp<string, (typeof attentionLooks)['stuckClusters'] | undefined>(
    attentionLooks,
    item.kind,
    undefined,
  )
  const Icon = look?.icon ?? IconAlertTriangle
  const written = (fact: AttentionFact) => {
    if (typeof fact !== 'object') return fact
    if ('at' in fact) return formatDayAndTimeWithin(fact.at, now, locale)
    return 'ms' in fact ? formatUptime(fact.ms, locale) : formatMoney(fact.minor, fact.currency, locale)
  }
  const lasts = formatUptime(Math.max(0, now - Date.parse(item.since)), locale)
  const facts = {
    ...Object.fromEntries(Object.entries(item.facts).map(([name, fact]) => [name, written(fact)])),
    lasts,
  }
  const title = look ? t(`operator.attention.${item.kind}`, facts) : item.kind
  return (
    <li className={classes.item} data-severity={item.severity} data-snoozed={isSnoozed || undefined}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.said}>
        <b>{title}</b>
        <span className="small soft">
          {isSnoozed && item.snoozedUntil
            ? t('operator.snoozedUntil', { at: formatDayAndTimeWithin(item.snoozedUntil, now, locale) })
            : look && t(`operator.attention.${item.kind}Text`, facts)}
        </span>
      </div>
      <time className="small soft num" dateTime={item.since}>
        {lasts}
      </time>
      <div className={classes.acts}>
        {!isSnoozed && (
          <Button
            size="xs"
            variant="subtle"
            loading={snooze.isPending}
            aria-label={t('operator.snoozeOf', { item: title })}
            onClick={() => snooze.mutate({ kind: item.kind, key: item.key })}
          >
            {t('operator.snooze')}
          </Button>
        )}
        {look && (
          <Button
            size="xs"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/operator/{-$section}/{-$object}"
                params={{ section: look.section, object: item.object ?? undefined }}
                aria-label={t('operator.openOf', { item: title })}
              />
            )}
          >
            {t('operator.open')}
          </Button>
        )}
      </div>
    </li>
  )
}
