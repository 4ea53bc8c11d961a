/**
 * The newest measurements of an account as OpenMetrics text (https://prometheus.io/docs/specs/om/open_metrics_spec).
 */
import { Gauge, type OpenMetricsContentType, Registry } from 'prom-client'
import type { OwnedInstance } from '../alerts/alert-reads.ts'
import type { LatestSample } from '../samples/sample-store.ts'

/** Bytes, of the running period of the plan. */
export interface ScrapedUsage {
  product: string
  used: number
  quota: number
}

/** Of a backup of a cluster: when its last copy was completed and last proved to be whole. */
export interface ScrapedBackup {
  clusterId: string
  backupId: string
  completedAt: Date | null
  provedAt: Date | null
}

export interface Scraped {
  instances: readonly OwnedInstance[]
  /** By instance. */
  latest: ReadonlyMap<string, LatestSample>
  usage: readonly ScrapedUsage[]
  backups: readonly ScrapedBackup[]
}

/** An older sample is left out, as it says nothing about now: a gap stays a gap. ms */
const freshMs = 120_000

/** Not `instance`: the scraper sets that label to its target, and would rename ours. */
const perInstance = ['cluster_id', 'instance_id'] as const
const perBackup = ['cluster_id', 'backup_id'] as const

export async function writeScrape(scraped: Scraped, now: Date): Promise<{ text: string; contentType: string }> {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge<Label>({ name: `atoll_${name}`, help, labelNames: [...labelNames], registers: [registry] })

  const described = gauge('instance_info', 'Names of an instance and its cluster; always 1.', [
    ...perInstance,
    'cluster_name',
    'instance_name',
  ])
  const sampled = gauge('instance_sampled_timestamp_seconds', 'When it was heard of last.', perInstance)
  const cpu = gauge('instance_cpu_ratio', 'Use of all of its cores, 0 to 1.', perInstance)
  const memory = gauge('instance_memory_used_bytes', 'Memory in use.', perInstance)
  const memorySize = gauge('instance_memory_size_bytes', 'Memory that it has.', perInstance)
  const disk = gauge('instance_disk_used_bytes', 'Disk in use.', perInstance)
  const diskSize = gauge('instance_disk_size_bytes', 'Disk that it has.', perInstance)
  for (const { clusterId, clusterName, instanceId, name } of scraped.instances) {
    const labels = { cluster_id: clusterId, instance_id: instanceId }
    described.set({ ...labels, cluster_name: clusterName, instance_name: name }, 1)
    const sample = scraped.latest.get(instanceId)
    if (!sample) continue
    sampled.set(labels, sample.at.getTime() / 1000)
    if (now.getTime() - sample.at.getTime() > freshMs) continue
    cpu.set(labels, sample.cpu)
    memory.set(labels, sample.memoryUsed)
    memorySize.set(labels, sample.memoryTotal)
    disk.set(labels, sample.diskUsed)
    diskSize.set(labels, sample.diskTotal)
  }

  const used = gauge('plan_used_bytes', 'Used in the period of the plan; of what is stored, the mean over it.', [
    'product',
  ])
  const quota = gauge('plan_quota_bytes', 'What the plan includes in a period.', ['product'])
  for (const usage of scraped.usage) {
    used.set({ product: usage.product }, usage.used)
    quota.set({ product: usage.product }, usage.quota)
  }

  const copied = gauge('backup_age_seconds', 'Since the last copy was completed.', perBackup)
  const proved = gauge('backup_proof_age_seconds', 'Since the last copy was proved to be whole.', perBackup)
  const ageOf = (at: Date) => Math.max(now.getTime() - at.getTime(), 0) / 1000
  for (const { clusterId, backupId, completedAt, provedAt } of scraped.backups) {
    const labels = { cluster_id: clusterId, backup_id: backupId }
    if (completedAt) copied.set(labels, ageOf(completedAt))
    if (provedAt) proved.set(labels, ageOf(provedAt))
  }
  return { text: nameUnits(await registry.metrics()), contentType: registry.contentType }
}

/** A name that ends in its unit may say so; the library does not. */
function nameUnits(text: string): string {
  return text.replaceAll(/^# TYPE (\w+_(bytes|seconds|ratio)) gauge$/gm, '$&\n# UNIT $1 $2')
}
