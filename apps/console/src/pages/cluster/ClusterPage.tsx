export function ClusterPage({ clusterId }: { clusterId: string }) {
  return <p>{clusterId}</p>
}
