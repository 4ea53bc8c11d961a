import { walletLink } from '@atoll/contract/identity'
import { approvalLifetimeMs } from '@atoll/contract/staff'
import { Notice, SignInCode } from '@atoll/ui'
import { Button } from '@mantine/core'
import { runtimeConfig, serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { useText } from '../../locales/text.ts'
import classes from './ActDialog.module.css'
import type { AskedApproval, useApprovedAct } from './use-approved-act.ts'

interface ApprovalCodeProps {
  approved: ReturnType<typeof useApprovedAct>
  asked: AskedApproval
  /** The wallet's question. */
  sentence: string
  onClose: () => void
}

/** The code to scan, until the wallet has answered: then the act is done, and the dialog goes. */
export function ApprovalCode({ approved, asked, sentence, onClose }: ApprovalCodeProps) {
  const t = useText()
  useNow(1000)
  const left = new Date(asked.expireAt).getTime() - serverNow()
  const { state, isRunning, error } = approved
  const isOver = state === 'expired' || state === 'declined' || left <= 0 || error !== null
  const href = walletLink(runtimeConfig().walletUrl.replace(/\/+$/, ''), asked.code)
  const [title, text] = wordsOf()
  function wordsOf(): [string, string | undefined] {
    if (state === 'declined') return [t('operator.declined'), undefined]
    if (state === 'read') return [t('operator.scanned'), t('operator.scannedText')]
    return [t('operator.expired'), undefined]
  }
  return (
    <>
      <p className={dialog.text}>{t('operator.scan', { act: sentence })}</p>
      {!isOver && (
        <div className={classes.code}>
          <SignInCode
            value={asked.code}
            state={state === 'waiting' ? 'waiting' : 'scanned'}
            left={left / approvalLifetimeMs}
            urgent={left < 60_000}
            label={t('operator.code')}
          />
          <a href={href} target="_blank" rel="noopener">
            {t('operator.openWallet')}
          </a>
        </div>
      )}
      {!error && (isOver || state === 'read') && (
        <div className={dialog.failure}>
          <Notice tone={state === 'read' && !isOver ? 'neutral' : 'amber'} role="status" title={title}>
            {isOver ? undefined : text}
          </Notice>
        </div>
      )}
      <DialogFooter error={error}>
        <Button onClick={onClose}>{t('operator.cancel')}</Button>
        {isOver && (
          <Button variant="filled" onClick={approved.forget} loading={isRunning}>
            {t('operator.askAgain')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}
