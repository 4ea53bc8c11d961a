import { type DomainDetail, domainMembers, domainTransfer } from '@atoll/contract/domains'
import { Button, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useCall } from '../../data/use-call.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'

/** Offers the domain to one of its members; nothing changes before both have signed. */
export function TransferDialog({ detail: { domain, shown }, onClose }: { detail: DomainDetail; onClose: () => void }) {
  const t = useText()
  const listId = useId()
  // Joined members come first; one on a later page can be typed.
  const { data } = useCall(domainMembers, { domain, page: 1 })
  const heirs = data?.members.filter(({ state, isAdmin }) => state === 'joined' && !isAdmin) ?? []
  const form = useCallForm(domainTransfer, { values: { to: '' }, rest: { domain } })
  return (
    <FormDialog opened onClose={onClose} size={480} title={t('domains.transfer.title', { name: shown })}>
      <form onSubmit={form.submit(onClose)} noValidate>
        <p className={dialog.text}>{t('domains.transfer.text')}</p>
        <TextInput
          {...form.field('to', t('domains.transfer.toHelp', { name: shown }))}
          label={t('domains.transfer.to')}
          className={dialog.field}
          list={listId}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
        />
        <datalist id={listId}>
          {heirs.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{t('domains.keep')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {t('domains.transfer.offer')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
