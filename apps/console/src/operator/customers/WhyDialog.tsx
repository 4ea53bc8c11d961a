import { customerLook, type StaffPerson } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Button, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'

interface WhyDialogProps {
  person: StaffPerson
  /** The page is read again. */
  onDone: () => void
  /** Undefined: without a reason there is nothing to see, and one goes back to the list. */
  onClose?: (() => void) | undefined
  /** The reason is said, and the customer has to allow the look. */
  waits?: boolean
}

/** Why a customer is opened: the customer reads it. */
export function WhyDialog({ person, onDone, onClose, waits = false }: WhyDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const name = displayName(person)
  const why = useCallForm(customerLook, { rest: { accountId: person.accountId }, values: { reason: '' } })
  const back = () =>
    void navigate({
      to: '/operator/{-$section}/{-$object}',
      params: { section: 'customers', object: undefined },
    })
  if (waits) return <p>{t('operator.waitsConsent')}</p>
  return (
    <FormDialog opened onClose={onClose ?? back} title={t('operator.whyTitle', { id: name })}>
      <form onSubmit={why.submit(onDone)} noValidate>
        <p className={dialog.text}>{t('operator.whyText')}</p>
        <Textarea
          {...why.field('reason')}
          className={dialog.field ?? ''}
          data-autofocus
          label={t('operator.lookReason')}
          maxLength={500}
          autosize
          minRows={2}
        />
        <DialogFooter error={why.error}>
          <Button onClick={onClose ?? back}>{t('operator.cancel')}</Button>
          <Button type="submit" variant="filled" loading={why.isPending}>
            {t('operator.whyOpen')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
