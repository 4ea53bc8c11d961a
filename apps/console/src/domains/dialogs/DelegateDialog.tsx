import {
  type DomainDetail,
  domainMethod,
  domainMoves,
  type MovedRecords,
  type OwnRecord,
  ownRecordTypes,
} from '@atoll/contract/domains'
import { countRows } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Button, Skeleton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { ArmedButton, TypedNameField } from '../../kit/confirm/TypedName.tsx'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Dialogs.module.css'
import { DkimNames } from './DkimNames.tsx'
import { MovedRecordList } from './MovedRecordList.tsx'

interface DelegateDialogProps {
  detail: DomainDetail
  onClose: () => void
}

/**
 * Delegates a whole domain: its records of mail and certificates are listed and copied, those that end are shown, the
 * names of DKIM keys are asked for, as nobody can list them, and the domain's name is typed (design/domains).
 */
export function DelegateDialog({ detail: { domain, shown }, onClose }: DelegateDialogProps) {
  const t = useText()
  const [names, setNames] = useState<string[]>([])
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const moves = useCall(domainMoves, { domain, names }, { staleTime: 0, placeholderData: keepPreviousData })
  const records = moves.data?.records
  const copied = ownRecordsIn(records ?? [])
  const ended = (records ?? []).filter(({ type }) => type === 'A' || type === 'AAAA')
  const inside = copied
    .flatMap(({ type, value }) => (type === 'MX' ? [value.split(' ')[1] ?? ''] : []))
    .find((host) => host === domain || host.endsWith(`.${domain}`))
  const form = useCallForm(domainMethod, {
    values: { confirm: '' },
    rest: { domain, method: 'ns', records: copied.filter((record) => !left.has(keyOf(record))) },
  })
  const isTyped = form.form.values.confirm.trim() === domain
  const isFirst = moves.data === undefined && !moves.error
  // A record that was not read yet would not be copied.
  const isReading = isFirst || moves.isPlaceholderData
  function toggle(record: OwnRecord) {
    const key = keyOf(record)
    setLeft(new Set(left.has(key) ? [...left].filter((one) => one !== key) : [...left, key]))
  }
  function keep() {
    form.giveUp()
    onClose()
  }
  return (
    <FormDialog opened onClose={keep} size={560} title={t('domains.delegateTitle', { name: shown })}>
      <form onSubmit={isTyped && !isReading ? form.submit(onClose) : (event) => event.preventDefault()} noValidate>
        <p className={dialog.text}>{t('domains.delegateText')}</p>
        <div className={classes.moves} aria-busy={isReading}>
          {isFirst && <Skeleton height={60} />}
          {(moves.error || records === null) && <Notice tone="amber" title={t('domains.movesUnknown')} />}
          {records && countRows(records) === 0 && <p className={dialog.text}>{t('domains.movesNone')}</p>}
          <MovedRecordList records={copied} isLeft={(record) => left.has(keyOf(record))} onToggle={toggle} />
          <MovedRecordList records={ended.flatMap(eachValue)} />
          <UnreadableRows of={records ?? undefined} />
          {inside !== undefined && <Notice tone="amber" title={t('domains.movesInside', { host: inside })} />}
        </div>
        <DkimNames
          names={names}
          isFound={(name) => moves.isPlaceholderData || copied.some((record) => isNamed(record, name, domain))}
          onAdd={(name) => setNames([...names, name])}
        />
        <TypedNameField name={domain} {...form.field('confirm')} />
        <DialogFooter error={form.error}>
          <Button onClick={keep}>{t('domains.stayCname')}</Button>
          <ArmedButton armed={isTyped} danger loading={form.isPending || (isTyped && isReading)}>
            {t('domains.delegate')}
          </ArmedButton>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}

const keyOf = ({ type, name, value }: OwnRecord) => JSON.stringify([type, name, value])

function eachValue({ type, name, values }: MovedRecords[number]) {
  return values.map((value) => ({ type, name, value }))
}

/** Those that a zone here takes. */
function ownRecordsIn(records: MovedRecords): OwnRecord[] {
  return records.flatMap(eachValue).flatMap(({ type, name, value }) => {
    const own = ownRecordTypes.find((each) => each === type)
    return own === undefined ? [] : [{ type: own, name, value }]
  })
}

function isNamed({ name }: OwnRecord, typed: string, domain: string): boolean {
  return name === typed || name === `${typed}.${domain}`
}
