import type { Resource } from '@atoll/contract/clusters'
import { useText } from '../../locales/text.ts'
import { useProgress } from './use-progress.ts'

/** 'Step 4 of 6'. */
export function StepOf({ cluster }: { cluster: Resource }) {
  const t = useText()
  const { at, steps } = useProgress(cluster)
  return t('cluster.stepOf', { step: at, steps: steps.length })
}
