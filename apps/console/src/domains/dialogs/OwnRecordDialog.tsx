import { domainRecordAdd, type OwnRecord, ownRecordTypes } from '@atoll/contract/domains'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'

interface OwnRecordDialogProps {
  domain: string
  shown: string
  onClose: () => void
}

/** Adds a record of the owner to the zone of a domain. */
export function OwnRecordDialog({ domain, shown, onClose }: OwnRecordDialogProps) {
  const t = useText()
  const first: OwnRecord['type'] = 'MX'
  const form = useCallForm(domainRecordAdd, { values: { type: first, name: '@', value: '' }, rest: { domain } })
  const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false }
  function keep() {
    form.giveUp()
    onClose()
  }
  return (
    <FormDialog opened onClose={keep} title={t('domains.own.addTitle', { name: shown })}>
      <form onSubmit={form.submit(onClose)} noValidate>
        <NativeSelect {...form.field('type')} label={t('domains.type')} data={[...ownRecordTypes]} data-autofocus />
        <TextInput
          {...form.field('name', t('domains.own.nameHelp'))}
          {...plain}
          className={dialog.field}
          label={t('domains.recordName')}
        />
        <TextInput {...form.field('value')} {...plain} className={dialog.field} label={t('domains.value')} />
        <DialogFooter error={form.error}>
          <Button onClick={keep}>{t('domains.keep')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t('domains.own.addDo')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
