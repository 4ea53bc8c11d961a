import type { InstanceRow } from '@atoll/contract/clusters'
import type { Translate } from '../../locales/text.ts'

/** An instance's name on the screen: 'Master', 'Worker 2'; a name of another make stays as it is. */
export function instanceName({ role, name }: Pick<InstanceRow, 'role' | 'name'>, t: Translate): string {
  if (role === 'master') return t('cluster.master')
  const number = /^worker-(\d+)$/.exec(name)?.[1]
  return number ? t('cluster.workerNumber', { number }) : name
}

/** The same of one that is known by its name alone, as alerts are. */
export function calledInstance(name: string, t: Translate): string {
  return instanceName({ role: name === 'master' ? 'master' : 'worker', name }, t)
}
