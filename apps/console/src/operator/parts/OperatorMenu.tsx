import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import type { Action } from '../../kit/menu/action.ts'
import { useText } from '../../locales/text.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'

/** Acts of operators on a row, in a menu in its last cell; `name` is that of the row. */
export function OperatorMenu({ name, actions }: { name: string; actions: readonly Omit<Action, 'place'>[] }) {
  const t = useText()
  const disabledReason = useOperatorsOnly()
  return (
    <ActionMenu
      label={t('common.more', { name })}
      size={32}
      variant="subtle"
      actions={actions.map((action) => ({ ...action, disabledReason, place: 'menu' }))}
    />
  )
}
