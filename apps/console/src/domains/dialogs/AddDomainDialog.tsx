import { Button } from '@mantine/core'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useText } from '../../locales/text.ts'
import { DomainField, useAddDomain } from './AddDomainForm.tsx'

/** Adds one more domain. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const { form, submit } = useAddDomain()
  function keep() {
    form.giveUp()
    onClose()
  }
  return (
    <FormDialog opened onClose={keep} title={t('domains.addTitle')}>
      <form onSubmit={submit} noValidate>
        <p className={dialog.text}>{t('domains.addText')}</p>
        <div className={dialog.field}>
          <DomainField form={form} focused />
        </div>
        <DialogFooter error={form.error}>
          <Button onClick={keep}>{t('domains.keep')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t('domains.begin')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
