import { type DomainDetail, domainMethod, domainMoves } from '@atoll/contract/domains'
import { countRows } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button, Skeleton } from '@mantine/core'
import { useCall } from '../../data/use-call.ts'
import { ArmedButton, TypedNameField } from '../../kit/confirm/TypedName.tsx'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Dialogs.module.css'

interface DelegateDialogProps {
  detail: DomainDetail
  onClose: () => void
}

/** Delegates a whole domain: its mail, web and text records are shown, and its name is typed (design/domains). */
export function DelegateDialog({ detail: { domain, shown }, onClose }: DelegateDialogProps) {
  const t = useText()
  const form = useCallForm(domainMethod, { values: { confirm: '' }, rest: { domain, method: 'ns' } })
  const moves = useCall(domainMoves, { domain }, { staleTime: 0 })
  const records = moves.data?.records
  const isTyped = form.form.values.confirm.trim() === domain
  function keep() {
    form.giveUp()
    onClose()
  }
  return (
    <PageDialog opened onClose={keep} size={560} title={t('domains.delegateTitle', { name: shown })}>
      <form onSubmit={isTyped ? form.submit(onClose) : (event) => event.preventDefault()} noValidate>
        <p className={dialog.text}>{t('domains.delegateText', { name: shown })}</p>
        <div className={classes.moves} aria-busy={moves.data === undefined && !moves.error}>
          {moves.data === undefined && !moves.error && <Skeleton height={60} />}
          {(moves.error || records === null) && <Notice tone="amber" title={t('domains.movesUnknown')} />}
          {records && countRows(records) === 0 && <p className={dialog.text}>{t('domains.movesNone')}</p>}
          {records && records.length > 0 && (
            <dl className={classes.moveList}>
              {records.map(({ type, values }) => (
                <div key={type}>
                  <dt>
                    <Tag tone={type === 'MX' ? 'coral' : undefined}>{type}</Tag>
                  </dt>
                  <dd>
                    {values.map((value) => (
                      <code key={value}>{value}</code>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <UnreadableRows of={records ?? undefined} />
        </div>
        <TypedNameField name={domain} {...form.field('confirm')} />
        <DialogFooter error={form.error}>
          <Button onClick={keep}>{t('domains.keep')}</Button>
          <ArmedButton armed={isTyped} danger loading={form.isPending}>
            {t('domains.delegate')}
          </ArmedButton>
        </DialogFooter>
      </form>
    </PageDialog>
  )
}
