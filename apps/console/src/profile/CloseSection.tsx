import { type AccountClosing, userClose, userClosing, userKeep } from '@atoll/contract/accounts'
import { serverNow } from '../config/runtime-config.ts'
import { useCall } from '../data/use-call.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { confirm } from '../kit/confirm/confirm.ts'
import { Deadline } from '../kit/figures/Deadline.tsx'
import { formatDeadline } from '../kit/format/deadlines.ts'
import { formatMoney } from '../kit/format/money.ts'
import { formatDayAndTimeWithin } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../kit/page/SettingRow.tsx'
import { CellLines } from '../kit/table/CellLines.tsx'
import { DataTable } from '../kit/table/DataTable.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ProfilePage.module.css'

/** All that goes, stays and comes back when the account is closed, and the way to close or to keep it. */
export function CloseSection({ name }: { name: string }) {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(userClosing, {})
  const keep = useCallMutation(userKeep, { toast: true })
  if (!data && error) return <LoadFailure title={t('closing.error')} error={error} onRetry={refetch} />
  if (!data) return null
  const { closing } = data
  const now = serverNow()
  const end = formatDeadline(data.until, now, locale)
  return (
    <section aria-labelledby="closing">
      <h2 id="closing" className={classes.heading}>
        {t(closing ? 'closing.underWay' : 'closing.title')}
      </h2>
      <p className={classes.lead}>{t('closing.lead')}</p>
      <ClosingTables data={data} end={end} />
      <SettingRows tone="danger">
        {closing ? (
          <SettingRow
            title={
              <Deadline at={data.until} now={now}>
                {t('closing.ends', { at: end })}
              </Deadline>
            }
            text={t(closing.byStaff ? 'closing.askedByMail' : 'closing.askedByYou', {
              at: formatDayAndTimeWithin(closing.since, now, locale),
            })}
          >
            <ChangeButton size="xs" variant="filled" loading={keep.isPending} onClick={() => keep.mutate({})}>
              {t('closing.keep')}
            </ChangeButton>
          </SettingRow>
        ) : (
          <SettingRow title={t('closing.change')} text={t('closing.exportFirst')}>
            <ChangeButton size="xs" variant="dangerOutline" onClick={() => ask(data)}>
              {t('closing.close')}
            </ChangeButton>
          </SettingRow>
        )}
      </SettingRows>
    </section>
  )

  function ask({ cloud, backups, money }: AccountClosing): void {
    const amount = (minor: number) => formatMoney(minor, money.currency, locale)
    confirm({
      title: t('closing.question', { name }),
      lost: [
        cloud.length > 0 ? t('closing.stopNow', { names: cloud.join(t('closing.comma')), count: cloud.length }) : '',
        t('closing.destroyed', { at: end, count: backups.count }),
        money.toCard > 0 ? t('closing.toCard', { amount: amount(money.toCard) }) : '',
        money.givenUp > 0 ? t('closing.givenUp', { amount: amount(money.givenUp) }) : '',
        money.promo > 0 ? t('closing.promoLost', { amount: amount(money.promo) }) : '',
      ].filter((text) => text !== ''),
      typed: name,
      keep: t('closing.keep'),
      act: t('closing.act'),
      danger: true,
      run: { call: userClose, body: {} },
    })
  }
}

interface Line {
  what: string
  detail?: string | undefined
  second: string
  third: string
}

function ClosingTables({ data, end }: { data: AccountClosing; end: string }) {
  const t = useText()
  const locale = useLocale()
  const { cloud, selfHosted, domains, backups, money } = data
  const comma = t('closing.comma')
  const now = serverNow()
  const amount = (minor: number) => formatMoney(minor, money.currency, locale)
  const some = (isThere: boolean, line: Line) => (isThere ? [line] : [])
  const newest =
    backups.newestAt === null
      ? undefined
      : t('closing.newest', { at: formatDayAndTimeWithin(backups.newestAt, now, locale) })
  return (
    <>
      <Lines
        heads={[t('closing.goes'), t('closing.when'), t('closing.untilThen')]}
        lines={[
          ...some(cloud.length > 0, { what: cloud.join(comma), second: end, third: t('closing.stopped') }),
          ...some(backups.count > 0, {
            what: t('closing.backups', { count: backups.count }),
            detail: newest,
            second: end,
            third: t('closing.canRestore'),
          }),
          ...some(domains.length > 0, { what: domains.join(comma), second: end, third: t('closing.atRegistrar') }),
          { what: t('closing.data'), second: end, third: t('closing.canExport') },
        ]}
      />
      <Lines
        heads={[t('closing.stays'), t('closing.until'), t('closing.why')]}
        lines={[
          {
            what: t('closing.invoices'),
            second: formatDeadline(data.invoicesUntil, now, locale),
            third: t('closing.law', { count: data.retentionYears }),
          },
          ...some(data.name !== null, {
            what: data.name ?? '',
            second: formatDeadline(data.nameUntil, now, locale),
            third: t('closing.nameWhy'),
          }),
          ...some(selfHosted.length > 0, {
            what: selfHosted.join(comma),
            second: t('closing.whileRun'),
            third: t('closing.ownMachine'),
          }),
        ]}
      />
      <Lines
        heads={[t('closing.money'), t('closing.amount'), t('closing.happens')]}
        lines={[
          { what: t('closing.balance'), second: amount(money.balance), third: t('closing.onDay', { at: end }) },
          ...some(money.unused > 0, {
            what: t('closing.unused'),
            second: amount(money.unused),
            third: t('closing.onDay', { at: end }),
          }),
          ...some(money.owed > 0, {
            what: t('closing.owed'),
            second: amount(-money.owed),
            third: t('closing.owedWhy'),
          }),
          ...some(money.toCard > 0, {
            what: t('closing.back'),
            second: amount(money.toCard),
            third: t('closing.backWhy'),
          }),
          ...some(money.givenUp > 0, {
            what: t('closing.rest'),
            second: amount(money.givenUp),
            third: t('closing.restWhy'),
          }),
          ...some(money.promo > 0, {
            what: t('closing.promo'),
            second: amount(money.promo),
            third: t('closing.promoWhy'),
          }),
        ]}
      />
    </>
  )
}

function Lines({ heads: [first, second, third], lines }: { heads: [string, string, string]; lines: Line[] }) {
  return (
    <div className={classes.lines}>
      <h3>{first}</h3>
      <DataTable
        label={first}
        rows={lines}
        rowKey={({ what }) => what}
        columns={[
          { header: first, cell: ({ what, detail }) => <CellLines main={what} second={detail} />, phone: 'first' },
          { header: second, cell: (line) => line.second, width: '30%', phone: 'second' },
          { header: third, cell: (line) => line.third, width: '34%', isQuiet: true, phone: 'third' },
        ]}
      />
    </div>
  )
}
