/** Alerts as the server answers them: one fires, one is about to, one is stopped. */
import type { Resource } from '@atoll/contract/clusters'
import type { AccountAlerts, ClusterAlerts } from '@atoll/contract/observe'

const minute = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString()
const watched = { isOn: true, mail: true }
const onMaster = { instanceId: 'in_sample001', instance: 'master' }
const unmailed = { mailedAt: null, endMailedAt: null }

/** Of one cluster. */
export function sampleAlerts(): ClusterAlerts {
  const [named, gone] = [{ instance: 'master' }, { instance: null }]
  const goesOn = { clearedAt: null, goesOn: true }
  const mailed = { mailedAt: ago(180), endMailedAt: ago(120) }
  return {
    rules: [
      { rule: 'disk', threshold: 90, clearBelow: 85, forMinutes: 10, ...watched },
      { rule: 'memory', threshold: 92, clearBelow: 85, forMinutes: 15, ...watched },
      { rule: 'offline', threshold: null, clearBelow: null, forMinutes: 5, ...watched, isOn: false },
      { rule: 'workload', threshold: null, clearBelow: null, forMinutes: 5, ...watched },
      { rule: 'backup', threshold: 2, clearBelow: null, forMinutes: 60, ...watched },
      { rule: 'proof', threshold: 45, clearBelow: null, forMinutes: 60, ...watched },
    ],
    current: [
      { rule: 'memory', ...onMaster, subject: null, state: 'firing', since: ago(35) },
      { rule: 'disk', ...onMaster, subject: null, state: 'pending', since: ago(6) },
      { rule: 'backup', ...onMaster, subject: 'Photos', state: 'firing', since: ago(20) },
    ],
    history: [
      { id: 4, rule: 'backup', ...named, subject: 'Photos', value: 2.1, at: ago(20), ...goesOn, ...unmailed },
      { id: 3, rule: 'memory', ...named, subject: null, value: 93.4, at: ago(35), ...goesOn, ...unmailed },
      {
        id: 2,
        rule: 'memory',
        ...named,
        subject: null,
        value: 93.4,
        at: ago(180),
        clearedAt: ago(120),
        goesOn: false,
        ...mailed,
      },
      {
        id: 1,
        rule: 'offline',
        ...gone,
        subject: null,
        value: null,
        at: ago(20 * 60),
        clearedAt: null,
        goesOn: false,
        ...unmailed,
      },
    ],
  }
}

/** The same over several clusters: rules that differ, and one that is not watched. */
export function sampleAccountAlerts(clusters: readonly Resource[]): AccountAlerts {
  const { rules, current, history } = sampleAlerts()
  const [first, second, ...others] = clusters.filter(({ status }) => status === 'running' || status === 'stopped')
  const usual = rules.map((rule) => ({ ...rule, isOn: true, mail: rule.rule !== 'workload' }))
  if (!first) return { rules: usual, clusters: [], history: [] }
  const of = ({ clusterId, name, status }: Resource) => ({
    clusterId,
    name,
    isWatched: status === 'running',
    oldestProof: status === 'running' ? { backup: 'Photos', days: 43 } : null,
  })
  const level = (instanceId: string, disk: number, memory: number) => [{ instanceId, instance: 'master', disk, memory }]
  return {
    rules: usual,
    clusters: [
      { ...of(first), rules, current, levels: level('in_sample001', 91, 93) },
      ...(second ? [{ ...of(second), rules: usual, current: [], levels: level('in_sample002', 61, 48) }] : []),
      ...others.map((cluster) => ({ ...of(cluster), rules: usual, current: [], levels: [] })),
    ].toSorted((a, b) => a.name.localeCompare(b.name)),
    history: history.map((past) => ({
      ...past,
      clusterId: first.clusterId,
      cluster: first.name,
      ...(past.goesOn && { mailedAt: past.at }),
    })),
  }
}
