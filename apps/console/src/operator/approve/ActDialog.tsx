import type { ApprovalAct } from '@atoll/contract/staff'
import type { Call } from '@atoll/contract/wire'
import { actSentence } from '@atoll/texts/acts'
import { Button, Textarea } from '@mantine/core'
import { IconWallet } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CallFailure } from '../../data/call-failure.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { problemsOf } from '../../kit/form/use-call-form.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './ActDialog.module.css'
import { ApprovalCode } from './ApprovalCode.tsx'
import { useApprovedAct } from './use-approved-act.ts'

type Problems = Partial<Record<string, string>>

interface ActDialogProps {
  onClose: () => void
  /** A question that names the object. */
  title: string
  lead?: string
  act: ApprovalAct
  call: Call
  /** The act's own fields as they are filled in. */
  fields: Record<string, unknown>
  /** The sentence in the wallet: object, customer, amount. */
  asks: { object: string; name: string; amount?: number; currency?: 'usd' | 'cny' }
  /** The word of the button that keeps things as they are; left out: cancel. */
  keep?: string
  isDanger?: boolean
  /** The fields; a problem stands under the name of its field. */
  children?: (problems: Problems) => ReactNode
}

const anyApproval = 'a.b.c'

/** An act with its fields and its reason, approved in the wallet: the form first, then the code to scan. */
export function ActDialog({ onClose, title, lead, act, call, fields, asks, ...more }: ActDialogProps) {
  const t = useText()
  const locale = useLocale()
  const [reason, setReason] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const close = () => {
    approved.forget()
    onClose()
  }
  const approved = useApprovedAct(act, call, close)
  const { asked, error } = approved
  const refused = error instanceof CallFailure && error.field !== undefined ? { [error.field]: error.message } : {}
  const shown: Problems = { ...refused, ...problems }
  const body = { ...fields, reason: reason.trim() }
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = problemsOf(call, { ...body, approval: anyApproval } as never, locale)
    setProblems(found)
    if (Object.keys(found).length === 0) approved.begin(body)
  }
  const sentence = actSentence({ act, ...asks }, asks.name, locale) ?? ''
  return (
    <FormDialog opened onClose={close} title={title} size={560} isFilled={asked === undefined && reason !== ''}>
      {asked ? (
        <ApprovalCode approved={approved} asked={asked} sentence={sentence} onClose={close} />
      ) : (
        <form onSubmit={submit} noValidate>
          {lead && <p className={dialog.text}>{lead}</p>}
          <div className={classes.fields}>
            {more.children?.(shown)}
            <Textarea
              label={t('operator.reason')}
              description={shown['reason'] ? undefined : t('operator.reasonHelp')}
              error={shown['reason']}
              value={reason}
              maxLength={500}
              autosize
              minRows={2}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onChange={(event) => {
                setReason(event.currentTarget.value)
                setProblems({})
              }}
            />
          </div>
          <p className={classes.recorded}>
            <IconWallet size={16} stroke={1.6} aria-hidden="true" />
            {t('operator.approveRecorded')}
          </p>
          <DialogFooter error={Object.keys(refused).length > 0 ? null : error}>
            <Button onClick={close}>{more.keep ?? t('operator.cancel')}</Button>
            <Button
              type="submit"
              variant={more.isDanger ? 'danger' : 'filled'}
              loading={approved.isBeginning}
              leftSection={<IconWallet size={16} stroke={1.6} aria-hidden="true" />}
            >
              {t('operator.approve')}
            </Button>
          </DialogFooter>
        </form>
      )}
    </FormDialog>
  )
}
