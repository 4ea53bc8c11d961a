import type { Operation, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { useInstanceName } from '../card/use-instance-name.ts'
import { InstallView } from '../page/InstallView.tsx'
import panel from '../page/OperationPanel.module.css'
import { OperationSteps } from './OperationSteps.tsx'

interface OperationProgressProps {
  cluster: Resource
  operation: Operation
  /** The one it is about, while it is known. */
  instance: ResourceDetail['data'][number] | undefined
}

/** The steps of an operation that runs, beside the log where it installs something. */
export function OperationProgress({ cluster, operation, instance }: OperationProgressProps) {
  const instanceName = useInstanceName()
  if (operation.steps.some(({ step }) => step === 'installing' || step === 'restoring')) {
    // A cluster's own steps are those of its install; an instance's are the operation's, its log beside them.
    return (
      <InstallView
        cluster={instance ?? cluster}
        name={instance && instanceName(instance)}
        steps={instance && <OperationSteps operation={operation} />}
      />
    )
  }
  return (
    <div className={panel.alone}>
      <OperationSteps operation={operation} />
    </div>
  )
}
