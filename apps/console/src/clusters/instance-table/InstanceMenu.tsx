import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { useText } from '../../locales/text.ts'
import { useInstanceActions } from '../actions/use-instance-actions.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import type { ShownInstance } from './shown-instance.ts'

/** Actions on an instance; nothing without any. */
export function InstanceMenu({ instance, cluster }: ShownInstance) {
  const t = useText()
  const actions = useInstanceActions(cluster, instance)
  const name = useInstanceName()(instance)
  if (actions.length === 0) return null
  const label = t('common.more', { name: t('cluster.instanceOf', { name, cluster: cluster.name }) })
  return <ActionMenu actions={actions} size={30} variant="subtle" label={label} />
}
