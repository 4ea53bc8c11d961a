import { IconEyeExclamation, IconLockOpen, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { countSignatures } from '../history/signature-log.ts'
import { useText } from '../i18n/text.ts'
import type { Approval } from '../sign/approval.ts'
import { signedKindOf } from '../sign/use-approval.ts'
import classes from './Approval.module.css'
import { Host } from './Host.tsx'

interface ApprovalSiteProps {
  approval: Approval
}

/** The asking site, in large, and whether this wallet has met it. */
export function ApprovalSite({ approval }: ApprovalSiteProps) {
  const t = useText()
  const { host, event, insecure } = approval
  // As it was when the request came: signing it now does not make the host known.
  const [times] = useState(() => countSignatures(localStorage, host, signedKindOf(event)))
  const before = event === 'login_cloud' ? 'approve.before' : 'approve.beforeActivation'
  return (
    <section className={classes.site}>
      <p className={classes.asks}>{t('approve.asks')}</p>
      <p className={classes.host}>
        <Host value={host} />
      </p>
      {times > 0 ? (
        <p className={classes.trust} data-tone="known">
          <IconShieldCheck size={17} stroke={1.6} aria-hidden="true" />
          {t(before, { count: times })}
        </p>
      ) : (
        <p className={classes.trust} data-tone="first">
          <IconEyeExclamation size={17} stroke={1.6} aria-hidden="true" />
          {t('approve.first')}
        </p>
      )}
      {insecure && (
        <p className={classes.trust} data-tone="first">
          <IconLockOpen size={17} stroke={1.6} aria-hidden="true" />
          {t('approve.insecure')}
        </p>
      )}
    </section>
  )
}
