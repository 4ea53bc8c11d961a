import type { Operation, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { useInstanceName } from '../card/use-instance-name.ts'
import { InstallView } from '../install/InstallView.tsx'
import panel from '../install/OperationPanel.module.css'
import { useWholeLog } from '../install/use-whole-log.ts'
import { OperationSteps } from './OperationSteps.tsx'

type Instance = ResourceDetail['data'][number]

interface OperationProgressProps {
  cluster: Resource
  operation: Operation
  /** The one it is about, while it is known. */
  instance: Instance | undefined
}

function ClusterInstall({ cluster }: { cluster: Resource }) {
  return <InstallView cluster={useWholeLog(cluster, { clusterId: cluster.clusterId })} />
}

/** An instance's steps are the operation's, its log beside them. */
function InstanceInstall({ cluster, operation, instance }: OperationProgressProps & { instance: Instance }) {
  const { clusterId } = cluster
  const whole = useWholeLog(instance, { clusterId, instanceId: instance.instanceId })
  const name = useInstanceName()(instance)
  return <InstallView cluster={whole} name={name} steps={<OperationSteps operation={operation} />} />
}

/** The steps of an operation that runs, beside the log where it installs something. */
export function OperationProgress({ cluster, operation, instance }: OperationProgressProps) {
  if (operation.steps.some(({ step }) => step === 'installing' || step === 'restoring')) {
    // A cluster's own steps are those of its install.
    return instance ? (
      <InstanceInstall cluster={cluster} operation={operation} instance={instance} />
    ) : (
      <ClusterInstall cluster={cluster} />
    )
  }
  return (
    <div className={panel.alone}>
      <OperationSteps operation={operation} />
    </div>
  )
}
