import type { DomainDetail } from '@atoll/contract/domains'
import { Button } from '@mantine/core'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useText } from '../../locales/text.ts'
import { RuleForm } from './RuleForm.tsx'

/** Changes who may join a domain that is linked. */
export function RuleDialog({ detail, onClose }: { detail: DomainDetail; onClose: () => void }) {
  const t = useText()
  return (
    <FormDialog opened onClose={onClose} size={560} title={t('domains.ruleQuestion', { name: detail.shown })}>
      <RuleForm
        detail={detail}
        onDone={onClose}
        footer={(submit) => (
          <DialogFooter>
            <Button onClick={onClose}>{t('domains.keep')}</Button>
            {submit}
          </DialogFooter>
        )}
      />
    </FormDialog>
  )
}
