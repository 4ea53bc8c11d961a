/** The names of the measurements, by the rules of `promtool check metrics` (Prometheus, util/promlint). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { currentBuild, installRoot } from '../../platform/install.ts'
import { createMetrics, type Measured } from './metrics.ts'

interface Family {
  name: string
  type: string
  help: string
  labels: string[]
}

const units = [
  ...['milliseconds', 'microseconds', 'nanoseconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'],
  ...['bits', 'kilobytes', 'megabytes', 'gigabytes', 'kibibytes', 'mebibytes', 'gibibytes', 'percent', 'percentage'],
  ...['celsiuses', 'kelvin', 'fahrenheit', 'miles', 'inches', 'grams', 'kilograms', 'watts', 'milliamperes'],
]
const abbreviations = ['s', 'ms', 'us', 'ns', 'sec', 'b', 'kb', 'mb', 'gb', 'tb', 'pb', 'm', 'h', 'd']

/** The complaints that `promtool check metrics` would print, each with the metric's name. */
function lint({ name, type, help, labels }: Family): string[] {
  const words = name.split('_')
  const isCounter = type === 'counter'
  const complaints: [boolean, string][] = [
    [help === '', 'no help text'],
    [isCounter && !name.endsWith('_total'), 'counter metrics should have "_total" suffix'],
    [!isCounter && name.endsWith('_total'), 'non-counter metrics should not have "_total" suffix'],
    [!['histogram', 'summary'].includes(type) && /_(count|sum)$/.test(name), 'a suffix of histograms'],
    [type !== 'histogram' && (name.endsWith('_bucket') || labels.includes('le')), 'a part of histograms'],
    [type !== 'summary' && labels.includes('quantile'), 'a label of summaries'],
    [words.some((word) => units.includes(word)), 'no base unit'],
    [words.some((word) => abbreviations.includes(word)), 'an abbreviated unit'],
    [words.includes(type), 'its type in the name'],
    [/[A-Z:]/.test(name) || labels.some((label) => /[A-Z]/.test(label)), 'neither camelCase nor colons'],
  ]
  return complaints.flatMap(([is, complaint]) => (is ? [`${name}: ${complaint}`] : []))
}

function familiesOf(text: string): Family[] {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return types.map(([, name = '', type = '']) => ({
    name,
    type,
    help: new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1] ?? '',
    labels: [...text.matchAll(new RegExp(`^${name}\\{([^}]*)\\}`, 'gm'))].flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    ),
  }))
}

/** Nothing of it can be read: what is measured is described all the same. */
const unread = () => Promise.reject(new Error('away'))
const everything: Measured = {
  catalogProblem: () => undefined,
  vault: unread,
  dnsQueries: () => [{ transport: 'udp', outcome: 'NOERROR', count: 1 }],
  powerDns: unread,
  domains: {
    nameServers: () => [{ server: 'ns1.host.example', isUp: false }],
    checks: () => ({ passed: 1, waiting: 0, failed: 0 }),
    certificates: unread,
  },
  parkedAccounts: unread,
  drillClusters: unread,
  bills: unread,
  disputes: unread,
  selfBackupAge: unread,
  sweep: unread,
  state: {
    instances: unread,
    lateOperations: unread,
    agents: unread,
    backupRuns: unread,
    lateBackups: unread,
    oldestProofDays: unread,
    mails: unread,
  },
}

test('every measurement is named as promtool wants it', async () => {
  const pool = { idleCount: 0, totalCount: 0, waitingCount: 0, query: unread } as unknown as Pool // all that is read
  const families = familiesOf(await createMetrics(pool, everything).text())
  expect(families.length).toBeGreaterThan(40)
  expect(families.map(({ name }) => name)).toContain('atoll_certificate_expiry_seconds')
  expect(families.flatMap(lint)).toEqual([])
})

test.each(['deploy/prometheus/rules.yml', 'deploy/prometheus/rules.test.yml', 'deploy/grafana/atoll.json'])(
  '%s asks for measurements that there are',
  async (file) => {
    const pool = { idleCount: 0, totalCount: 0, waitingCount: 0, query: unread } as unknown as Pool // all that is read
    const metrics = createMetrics(pool, everything)
    metrics.addChecks({ database: async () => undefined })
    const names = new Set(familiesOf(await metrics.text()).map(({ name }) => name))
    const asked = readFileSync(join(installRoot, file), 'utf8').match(/\batoll_\w+/g) ?? []
    expect(asked.length).toBeGreaterThan(4)
    expect(asked.filter((name) => !names.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([])
  },
)

test('the page for operators names every measurement', async () => {
  const pool = { idleCount: 0, totalCount: 0, waitingCount: 0, query: unread } as unknown as Pool // all that is read
  const metrics = createMetrics(pool, everything)
  metrics.addChecks({ database: async () => undefined })
  const page = readFileSync(join(installRoot, 'docs/operator/monitoring.md'), 'utf8')
  const ours = familiesOf(await metrics.text()).filter(({ name }) => name.startsWith('atoll_'))
  expect(ours.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('checks that are added again replace those before', async () => {
  const pool = { idleCount: 0, totalCount: 0, waitingCount: 0, query: unread } as unknown as Pool // all that is read
  const metrics = createMetrics(pool)
  metrics.addChecks({ database: async () => undefined })
  metrics.addChecks({ database: async () => 'away', ports: async () => undefined })
  const text = await metrics.text()
  expect(text.match(/^atoll_ready\{.*/gm)).toEqual(['atoll_ready{check="database"} 0', 'atoll_ready{check="ports"} 1'])
})

test('the build is one row of 1, by version and commit', async () => {
  const { version, commit } = currentBuild()
  const pool = { idleCount: 0, totalCount: 0, waitingCount: 0, query: unread } as unknown as Pool // all that is read
  expect(await createMetrics(pool).text()).toContain(`atoll_build_info{version="${version}",commit="${commit}"} 1\n`)
})

test.each([
  ['atoll_certificate_days_to_expiry', 'gauge', 'no base unit'],
  ['nodejs_active_handles_total', 'gauge', 'non-counter metrics should not have "_total" suffix'],
  ['atoll_calls', 'counter', 'counter metrics should have "_total" suffix'],
  ['atoll_wait_ms', 'gauge', 'an abbreviated unit'],
])('%s, a %s, would be complained of: %s', (name, type, complaint) => {
  expect(lint({ name, type, help: 'Help.', labels: [] })).toEqual([`${name}: ${complaint}`])
})
