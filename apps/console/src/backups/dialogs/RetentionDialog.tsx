import { type Backup, backupUpdate, type KeepRules } from '@atoll/contract/backups'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { problemsOf } from '../../kit/form/use-call-form.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { keepRuleNames } from '../plan-words.ts'
import { KeepFields } from './KeepFields.tsx'
import { RetentionPreview } from './RetentionPreview.tsx'
import { usePreview } from './use-preview.ts'

/** How many snapshots of which age are kept; what stays and what goes is seen before it is saved. */
export function RetentionDialog({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { backupId, name } = backup
  const [keep, setKeep] = useState<KeepRules>(backup.keep)
  const update = useCallMutation(backupUpdate)
  const problem = problemsOf(backupUpdate, { backupId, keep }, locale)['keep']
  const preview = usePreview(backupId, problem === undefined ? keep : undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    // Nobody saves what they have not seen.
    if (problem !== undefined || !preview.isCurrent || update.isPending) return
    update.mutate({ backupId, keep }, { onSuccess: onClose })
  }
  return (
    <FormDialog opened onClose={onClose} size={600} title={t('backups.keepTitle', { name })}>
      <form onSubmit={submit} noValidate>
        <p className={dialog.text}>{t('backups.keepText')}</p>
        <div className={classes.fields}>
          <KeepFields
            rules={keepRuleNames}
            value={keep}
            onChange={(rules) => {
              setKeep(rules)
              update.reset()
            }}
            problem={problem}
          />
          <RetentionPreview backup={backup} preview={preview} />
        </div>
        <DialogFooter error={update.error}>
          <Button onClick={onClose}>{t('backups.cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            loading={update.isPending}
            disabled={problem !== undefined || !preview.isCurrent}
          >
            {t('backups.save')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
