import { useText } from '../../locales/text.ts'
import { useClusters } from '../use-clusters.ts'
import { nameProblem } from './cluster-name.ts'

/**
 * The fault of a name for a cluster of `owner`, in words: names are one's own, so somebody else's cluster, which an
 * Admin sees, takes none away, and neither does the cluster that is renamed.
 */
export function useNameCheck(owner: string, renamed?: string) {
  const t = useText()
  const { clusters = [] } = useClusters()
  const taken = clusters
    .filter((other) => other.owner.userid === owner && other.clusterId !== renamed)
    .map(({ name }) => name)
  return ({ name }: { name: string }) => {
    const problem = nameProblem(name, taken)
    return { name: problem && t(problem === 'taken' ? 'create.nameTaken' : 'create.nameInvalid', { name }) }
  }
}
