import type { StaffClusterDetail } from '@atoll/contract/staff'
import { zipOf } from '../../../platform/archives/zip.ts'
import { hideFromText } from '../../../platform/log.ts'

/** A ZIP of all facts about a cluster: for the person who repairs it, who need not know the owner. */
export function zipDiagnostics(
  cluster: StaffClusterDetail,
  installLogs: readonly { name: string; log: string }[],
  at: Date,
): { fileName: string; zip: string } {
  const { person, operations, attempts, instances, ...facts } = cluster
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  const files = [
    { name: 'cluster.json', text: json({ ...facts, account: person.accountId }) },
    { name: 'operations.json', text: json(operations) },
    { name: 'attempts.json', text: json(attempts) },
    { name: 'instances.json', text: json(instances) },
    ...installLogs.map(({ name, log }) => ({ name: `install-${name}.json`, text: log })),
  ]
  const bytes = zipOf(
    files.map(({ name, text }) => ({ name, bytes: Buffer.from(hideFromText(text)) })),
    at,
  )
  return { fileName: `${cluster.clusterId}-diagnostics.zip`, zip: bytes.toString('base64') }
}
