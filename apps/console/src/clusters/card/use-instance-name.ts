import type { InstanceRow } from '@atoll/contract/clusters'
import { useText } from '../../locales/text.ts'
import { instanceName } from './instance-name.ts'

/** `instanceName` in the language of the page. */
export function useInstanceName(): (instance: Pick<InstanceRow, 'role' | 'name'>) => string {
  const t = useText()
  return (instance) => instanceName(instance, t)
}
