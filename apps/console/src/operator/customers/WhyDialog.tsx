import { customerLook, type StaffPerson } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'
import { CallDialog } from '../approve/CallDialog.tsx'

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
    <CallDialog
      title={t('operator.whyTitle', { id: name })}
      lead={t('operator.whyText')}
      act={t('operator.whyOpen')}
      form={why}
      onDone={onDone}
      onClose={onClose ?? back}
    >
      <Textarea
        {...why.field('reason')}
        data-autofocus
        label={t('operator.lookReason')}
        maxLength={500}
        autosize
        minRows={2}
      />
    </CallDialog>
  )
}
