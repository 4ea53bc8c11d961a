import type { InstanceRow } from '@atoll/contract/clusters'
import { useText } from '../../kit/i18n/text.ts'

/** What an instance is called on the screen: 'Master', 'Worker 2'; a name of another make stays as it is. */
export function useInstanceName(): (instance: Pick<InstanceRow, 'role' | 'name'>) => string {
  const t = useText()
  return ({ role, name }) => {
    if (role === 'master') return t('detail.master')
    const number = /^worker-(\d+)$/.exec(name)?.[1]
    return number ? t('instances.workerNumber', { number }) : name
  }
}
