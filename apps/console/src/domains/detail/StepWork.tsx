import type { DomainDetail } from '@atoll/contract/domains'
import { lookUp } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import classes from '../Detail.module.css'
import { RuleForm } from '../dialogs/RuleForm.tsx'
import { stepAt, stepsOf } from '../domain-steps.ts'
import { HttpsNotice } from '../HttpsLine.tsx'
import { BindingProgress } from './BindingProgress.tsx'
import cardClasses from './dns-check/Cards.module.css'
import { DnsCheckCard } from './dns-check/DnsCheckCard.tsx'
import { TroubleNotice } from './dns-check/TroubleNotice.tsx'
import { OwnRecordsCard } from './OwnRecordsCard.tsx'
import { parentOf } from './parent-of.ts'
import { RecordsCard } from './RecordsCard.tsx'
import { RuleNotices } from './RuleNotices.tsx'
import { WalletCard } from './WalletCard.tsx'
import { ZoneCard } from './ZoneCard.tsx'

/** The work to do at the domain's step. */
export function StepWork({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const { status, method, shown, problem } = detail
  const step = stepsOf(detail)[stepAt(detail)]
  // Without name servers nothing can be checked; the notice above says what helps.
  const isDns = problem?.key !== 'noNameServers' && (status === 'WAIT_TXT' || status === 'WAIT_NS')
  const isContested = problem?.key === 'contested'
  const isUnseen = problem?.key === 'proofUnseen'
  const texts = {
    WAIT_TXT: () => t('domains.proveText', { domain: parentOf(detail) }),
    WAIT_NS: () => t(method === 'ns' ? 'domains.handOverText' : 'domains.pointText', { domain: shown }),
    WAIT_REQUEST_VC: () => t('domains.applyText', { domain: shown }),
    WAIT_SUBMIT_VP: () => t('domains.presentText', { domain: shown }),
    WAIT_RULE_SET: () => t('domains.ruleText', { domain: shown }),
    BINDING: () => t('domains.bindingText'),
    BIND: () => t('domains.bindText', { domain: shown }),
    ALLOCATED: () => t('domains.inUse', { domain: shown }),
  }
  const words = lookUp(texts, status, () => t('domains.unknownShort'))()
  return (
    <div className="stack">
      <div>
        {step && <h2 className={classes.workTitle}>{t(step.title)}</h2>}
        <p className={classes.workText}>{words}</p>
      </div>
      {isDns && <TroubleNotice detail={detail} />}
      {(isDns || isContested || isUnseen) && <RecordsCard detail={detail} />}
      {(isDns || isContested) && <DnsCheckCard detail={detail} />}
      {detail.ownRecords && (detail.isApex || detail.ownRecords.length > 0) && (
        <OwnRecordsCard detail={detail} records={detail.ownRecords} />
      )}
      {isDns && (
        <>
          {!(detail.isApex && method === 'ns' && status === 'WAIT_NS') && (
            <p className={classes.foot}>{t('domains.keepTxt')}</p>
          )}
          <p className={classes.foot}>{t(status === 'WAIT_TXT' ? 'domains.footProve' : 'domains.footChecks')}</p>
        </>
      )}
      {(status === 'WAIT_RULE_SET' || status === 'BINDING' || status === 'BIND') && <RuleNotices detail={detail} />}
      {status === 'WAIT_RULE_SET' && (
        <section className="box clip" aria-label={t('domains.ruleTitle')}>
          <div className={cardClasses.cardBody}>
            <RuleForm detail={detail} footer={(submit) => <DialogFooter>{submit}</DialogFooter>} />
          </div>
        </section>
      )}
      {status === 'BINDING' && <BindingProgress detail={detail} />}
      {detail.zone && <ZoneCard domain={shown} zone={detail.zone} />}
      {(status === 'BINDING' || status === 'BIND') && <HttpsNotice detail={detail} />}
      {status === 'BIND' && <OrganizationEmail />}
      {(status === 'WAIT_REQUEST_VC' || status === 'WAIT_SUBMIT_VP' || status === 'BIND') && (
        <WalletCard detail={detail} />
      )}
    </div>
  )
}

/** Taking an ID under one's own domain asks for such an email of the account (spec §5). */
function OrganizationEmail() {
  const t = useText()
  const email = useCurrentAccount()?.email
  return (
    <Notice
      title={t('domains.gmail')}
      action={
        <Button size="xs" component={Link} to="/profile">
          {t('domains.toEmail')}
        </Button>
      }
    >
      {email ? t('domains.emailIs', { email }) : t('domains.emailNone')}
    </Notice>
  )
}
