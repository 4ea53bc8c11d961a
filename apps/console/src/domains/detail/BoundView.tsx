import type { DomainDetail } from '@atoll/contract/domains'
import { StateBadge } from '@atoll/ui'
import { type ReactNode, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatTime } from '../../kit/format/times.ts'
import type { Action } from '../../kit/menu/action.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { BrokenId } from '../BrokenId.tsx'
import classes from '../Detail.module.css'
import { RuleDialog } from '../dialogs/RuleDialog.tsx'
import { HttpsAbout, HttpsNotice, HttpsState } from '../HttpsLine.tsx'
import { CertificatesSection } from '../members/CertificatesSection.tsx'
import { MembersSection } from '../members/MembersSection.tsx'
import cardClasses from './dns-check/Cards.module.css'
import { DnsCheckCard } from './dns-check/DnsCheckCard.tsx'
import { TroubleNotice } from './dns-check/TroubleNotice.tsx'
import { OwnRecordsCard } from './OwnRecordsCard.tsx'
import { RecordsCard } from './RecordsCard.tsx'
import { RuleNotices } from './RuleNotices.tsx'
import { TransferNotice } from './TransferNotice.tsx'

interface BoundViewProps {
  detail: DomainDetail
  actions: readonly Action[]
}

/** A domain in use: how it points here, who may join, and how it is given up (board 24). */
export function BoundView({ detail, actions }: BoundViewProps) {
  const t = useText()
  const locale = useLocale()
  const [isChanging, setChanging] = useState(false)
  const { method, isApex, look, problem, https, terminusName, shown, credentialUntil } = detail
  const { rule_type: ruleType, rule_data: suffixes, ownRecords } = detail
  const remove = actions.find(({ key }) => key === 'delete')
  const isLost = problem?.key === 'delegationLost'
  const isContested = problem?.key === 'contested'
  const isMoving = isLost || problem?.key === 'methodWaits'
  const way = t(method === 'ns' ? 'domains.byServers' : 'domains.byCname')
  return (
    <div className="stack">
      <section className="box clip" aria-label={t('domains.figures')}>
        <dl className={cardClasses.cells}>
          <Cell
            label={t('domains.pointsHere')}
            main={
              <StateBadge
                colour={isLost ? 'coral' : isMoving ? 'amber' : 'green'}
                shape={isMoving ? 'ring' : 'disc'}
                bare
              >
                {isLost ? t('domains.lost') : isMoving ? t('domains.moving') : way}
              </StateBadge>
            }
            detail={look.checkedAt && t('domains.lookedAt', { time: formatTime(look.checkedAt, serverNow(), locale) })}
          />
          <Cell
            label={t('domains.https.label')}
            main={<HttpsState https={https} />}
            detail={<HttpsAbout https={https} />}
          />
          <Cell
            label={t('domains.credential')}
            main={
              credentialUntil
                ? t('domains.until', { time: formatDeadline(credentialUntil, serverNow(), locale) })
                : t('domains.credentialNone')
            }
            detail={terminusName ? <BrokenId id={terminusName} /> : t('shell.noIdBound')}
          />
          <Cell
            label={t('domains.mayJoin')}
            main={
              ruleType === 'fixed_email_suffix' && suffixes
                ? suffixes.split(',').map((suffix) => <span key={suffix}>{`@${suffix} `}</span>)
                : t('domains.invitedOnly')
            }
            detail={ruleType === 'fixed_email_suffix' ? t('domains.orInvited') : undefined}
          />
        </dl>
      </section>
      {isMoving && <TroubleNotice detail={detail} />}
      {(isMoving || isContested) && <RecordsCard detail={detail} />}
      {(isMoving || isContested) && <DnsCheckCard detail={detail} />}
      <TransferNotice detail={detail} />
      <HttpsNotice detail={detail} />
      <RuleNotices detail={detail} />
      <MembersSection detail={detail} />
      {https.state !== 'off' && <CertificatesSection detail={detail} />}
      {ownRecords && <OwnRecordsCard detail={detail} records={ownRecords} />}
      {!isMoving && !isContested && (
        <>
          <RecordsCard detail={detail} isSet />
          <DnsCheckCard detail={detail} />
          {/* Our own zone hides the record of an apex. */}
          {!(isApex && method === 'ns') && <p className={classes.foot}>{t('domains.keepTxt')}</p>}
        </>
      )}
      <SettingRows>
        <SettingRow
          title={t('domains.ruleTitle')}
          text={t(ruleType === 'fixed_email_suffix' ? 'domains.ruleHelp.fixed_email_suffix' : 'domains.ruleNow')}
        >
          <ChangeButton size="xs" onClick={() => setChanging(true)}>
            {t('domains.change')}
          </ChangeButton>
        </SettingRow>
      </SettingRows>
      {remove && (
        <section aria-labelledby="danger">
          <h2 id="danger" className={classes.danger}>
            {t('detail.danger')}
          </h2>
          <SettingRows tone="danger">
            <SettingRow title={t('domains.giveUpName', { name: shown })} text={t('domains.giveUpText')}>
              <ChangeButton size="xs" variant="dangerOutline" onClick={remove.onSelect}>
                {remove.label}
              </ChangeButton>
            </SettingRow>
          </SettingRows>
        </section>
      )}
      {isChanging && <RuleDialog detail={detail} onClose={() => setChanging(false)} />}
    </div>
  )
}

function Cell({ label, main, detail }: { label: string; main: ReactNode; detail?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.figure}>{main}</dd>
      {detail && <dd className="tiny quiet">{detail}</dd>}
    </div>
  )
}
