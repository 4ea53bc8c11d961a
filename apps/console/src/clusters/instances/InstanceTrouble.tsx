import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { sentenceGap } from '../../kit/i18n/sentence-gap.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'
import type { Action } from '../actions/action.ts'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'

interface InstanceTroubleProps {
  instance: AnyInstance
  actions: Action[]
}

/** What is wrong with an instance, on a line under it, with what helps: repair or retry. */
export function InstanceTrouble({ instance, actions }: InstanceTroubleProps) {
  const t = useText()
  const locale = useLocale()
  const helpful = actions.filter(({ place, disabledReason }) => place === 'main' && disabledReason === undefined)
  return (
    <tr className={table.trouble}>
      <td colSpan={7}>
        <div className={table.troubleRow}>
          <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
          <span className={table.troubleText}>
            {instance.missing && <b>{t('instances.missing') + sentenceGap(locale)}</b>}
            {instance.error ?? (instance.missing ? t('instances.missingHelp') : '')}
          </span>
          {helpful.map((action) => (
            <Button key={action.key} size="xs" loading={action.busy ?? false} onClick={action.onSelect}>
              {action.label}
            </Button>
          ))}
        </div>
      </td>
    </tr>
  )
}
