import { clusterRename } from '@atoll/contract/clusters'
import { Button, TextInput } from '@mantine/core'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'
import { useNameCheck } from '../card/use-name-check.ts'

/** Gives a cluster another name, free among its owner's. */
export function RenameDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const { clusterId, owner, name } = cluster
  const rename = useCallForm(clusterRename, {
    rest: { clusterId },
    values: { name },
    check: useNameCheck(owner.userid, clusterId),
  })
  function keep() {
    rename.giveUp()
    onClose()
  }
  return (
    <FormDialog opened={opened} onClose={keep} title={t('dialog.renameTitle', { name })}>
      <form onSubmit={rename.submit(onClose)} noValidate>
        <TextInput
          {...rename.field('name', t('dialog.renameHelp'))}
          data-autofocus
          label={t('create.name')}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
        <DialogFooter error={rename.error}>
          <Button onClick={keep}>{t('dialog.renameKeep')}</Button>
          <Button type="submit" variant="filled" loading={rename.isPending}>
            {t('dialog.renameDo')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
