import { checkPauseMs, type DomainDetail, type DomainVerdict, domainCheck } from '@atoll/contract/domains'
import { countRows } from '@atoll/contract/wire'
import { StateBadge } from '@atoll/ui'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { TimeRing } from '../../../billing/shared/TimeLeft.tsx'
import { serverNow } from '../../../config/runtime-config.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { useNow } from '../../../kit/browser/use-now.ts'
import { formatStopwatch } from '../../../kit/format/stopwatch.ts'
import { formatTime } from '../../../kit/format/times.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { CellLines } from '../../../kit/table/CellLines.tsx'
import { type Column, DataTable } from '../../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './Cards.module.css'
import checkClasses from './DnsCheck.module.css'
import { VerdictCell } from './VerdictCell.tsx'
import { verdictLooks } from './verdict-looks.ts'

/** Each server's answer at the last check, the time of the next one, and a way not to wait for it. */
export function DnsCheckCard({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const { verdicts } = detail.look
  const expected = detail.records.flatMap(({ values }) => values)
  const columns: Column<DomainVerdict>[] = [
    {
      header: t('domains.asked'),
      phone: 'first',
      width: '38%',
      cell: ({ server, side }) => (
        <CellLines
          main={side === 'parent' && server !== '' ? t('domains.parentServer') : server || t('domains.everybody')}
          second={side === 'parent' && server !== '' ? t('domains.direct', { server }) : undefined}
        />
      ),
    },
    {
      header: t('domains.answer'),
      phone: 'first-end',
      cell: (verdict) => <VerdictCell verdict={verdict} expected={expected} />,
    },
    {
      header: t('domains.meaning'),
      phone: 'none',
      isQuiet: true,
      width: '22%',
      cell: ({ kind, side }) => t(side === 'parent' || kind === 'dnssecBroken' ? 'domains.decides' : 'domains.delays'),
    },
  ]
  return (
    <section className="box clip" aria-labelledby="dns-check">
      <DnsCheckHead detail={detail} />
      {countRows(verdicts) !== 0 && (
        <DataTable
          label={t('domains.lookTitle')}
          rows={verdicts}
          rowKey={({ server, type, name, kind }) => `${server} ${type} ${name} ${kind}`}
          columns={columns}
        />
      )}
    </section>
  )
}

function DnsCheckHead({ detail: { domain, look, actions } }: { detail: DomainDetail }) {
  const t = useText()
  const locale = useLocale()
  useNow(1000)
  const now = serverNow()
  const check = useCallMutation(domainCheck)
  const [askedAt, setAskedAt] = useState(0)
  const waitMs = Math.max(0, askedAt + checkPauseMs - now)
  const { checkedAt, nextAt } = look
  const leftMs = nextAt ? Date.parse(nextAt) - now : 0
  const wholeMs = nextAt ? Math.max(1000, Date.parse(nextAt) - Date.parse(checkedAt ?? nextAt)) : 1
  const ask = () => {
    setAskedAt(now)
    check.mutate({ domain })
  }
  return (
    <>
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="dns-check">{t('domains.lookTitle')}</h2>
          <p>{checkedAt ? t('domains.asOf', { time: formatTime(checkedAt, now, locale) }) : t('domains.firstLook')}</p>
        </div>
        {nextAt && (
          <span className={checkClasses.nextCheck}>
            {leftMs > 0 ? (
              <>
                <TimeRing share={leftMs / wholeMs} size={18} />
                <span>
                  {t('domains.nextCheck')}
                  <b>{formatStopwatch(leftMs)}</b>
                </span>
              </>
            ) : (
              <StateBadge colour={verdictLooks.stillCached.colour} shape="ring" bare>
                {t('domains.looking')}
              </StateBadge>
            )}
          </span>
        )}
        {actions.includes('check') && (
          <ChangeButton
            variant="filled"
            className={checkClasses.checkNow ?? ''}
            leftSection={<IconRefresh size={15} stroke={1.6} aria-hidden="true" />}
            loading={check.isPending}
            {...refusedButton(
              waitMs > 0 ? t('domains.checkAgainIn', { seconds: Math.ceil(waitMs / 1000) }) : undefined,
            )}
            onClick={waitMs > 0 ? undefined : ask}
          >
            {t('domains.checkNow')}
          </ChangeButton>
        )}
      </div>
      <FailureNotice error={check.error} className={classes.cardNotice} />
    </>
  )
}
