import { walletLink } from '@atoll/contract/identity'
import type { ActivationBegun, Status } from '@atoll/contract/personal-server'
import { signInCodeLifetimeMs } from '@atoll/contract/wire'
import { ApprovedMark, SignInCode } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconExternalLink, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useProblemText } from '../api/use-problem-text.ts'
import { useText } from '../i18n/text.ts'
import classes from './ApproveStep.module.css'
import { CopyCodeButton } from './CopyCodeButton.tsx'
import { Cover } from './Cover.tsx'
import { useApproval } from './use-approval.ts'

interface ApproveStepProps {
  status: Status
  begun: ActivationBegun
  /** Makes a fresh code; rejects when the server refuses. */
  onRefresh(): Promise<void>
  onApproved(): void
}

/** Step 2: the owner signs with the wallet. The code counts down, and is refreshed by hand when it has run out. */
export function ApproveStep({ status, begun, onRefresh, onApproved }: ApproveStepProps) {
  const t = useText()
  const problemText = useProblemText()
  const [problem, setProblem] = useState<string>()
  const { state, seconds } = useApproval(begun, onApproved)
  const { product, clusterName, terminusName, walletUrl } = status
  const host = location.host
  const refresh = () => {
    setProblem(undefined)
    onRefresh().catch((error: unknown) => setProblem(problemText(error)))
  }
  return (
    <Cover
      tall
      name={clusterName ?? t('app.yours', { product })}
      step={t('wizard.step', { step: 2 })}
      heading={t('wizard.approveTitle')}
      lead={terminusName ? t('wizard.approveLead', { owner: terminusName }) : t('wizard.approveLeadAnyone')}
    >
      <div className={classes.code}>
        <SignInCode
          value={begun.signRequest}
          state={state}
          left={(seconds * 1000) / signInCodeLifetimeMs}
          urgent={seconds <= 20}
          label={t('wizard.code', { host })}
        >
          {state === 'approved' && (
            <>
              <ApprovedMark />
              <span role="status">{t('wizard.approved')}</span>
            </>
          )}
          {state === 'expired' && (
            <>
              <span role="alert">{problem ?? t('wizard.expired')}</span>
              <Button
                variant="filled"
                leftSection={<IconRefresh size={16} stroke={1.6} aria-hidden="true" />}
                onClick={refresh}
              >
                {t('wizard.refresh')}
              </Button>
            </>
          )}
        </SignInCode>
      </div>
      <p className={classes.left}>
        {state === 'waiting' && <span className="num">{t('wizard.secondsLeft', { seconds })}</span>}
      </p>
      <div className={classes.ways} data-over={state !== 'waiting' || undefined}>
        {walletUrl && (
          <Button
            size="lg"
            component="a"
            href={walletLink(walletUrl, begun.signRequest)}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} stroke={1.6} aria-hidden="true" />}
          >
            {t('wizard.openWallet')}
          </Button>
        )}
        <CopyCodeButton code={begun.signRequest} />
      </div>
      <p className={classes.host}>{t('wizard.host', { host })}</p>
    </Cover>
  )
}
