import type { Generated } from 'kysely'

interface SampleSeriesTable {
  series: Generated<number>
  instance_id: string
}

interface LatestSamplesTable {
  series: number
  at: Date
  cpu: number
  memory_used: number
  memory_total: number
  disk_used: number
  disk_total: number
}

/** Of both tiers. */
interface SamplesTable {
  at: Date
  memory: number
  memory_max: number
  disk: number
  series: number
  cpu: number
  cpu_max: number
  samples: number
}

interface MinuteSamplesTable extends SamplesTable {
  net_in: number
  net_out: number
}

interface FiveMinuteSamplesTable extends SamplesTable {
  bytes_in: number
  bytes_out: number
  seconds: number
}

interface SampleHoursTable {
  hour: Date
  rolled_at: Date | null
}

interface AgentTrafficMarksTable {
  instance_id: string
  at: Date
  net_in: number
  net_out: number
}

export interface AlertStatesTable {
  series: number
  rule: string
  state: 'ok' | 'pending' | 'firing'
  since: Date
  seen_at: Date
  mailed_at: Date | null
  is_told: boolean
  subject: string | null
}

/** The settings chosen for a rule. */
export interface AlertChoiceTable {
  rule: string
  is_on: boolean
  mail: boolean
  threshold: number | null
  clear_below: number | null
  for_minutes: number
}

interface AlertEventsTable {
  id: Generated<number>
  owner: string
  cluster_id: string
  instance_id: string
  rule: string
  kind: 'fired' | 'cleared'
  value: number | null
  subject: string | null
  at: Date
  mailed_at: Date | null
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    sample_series: SampleSeriesTable
    latest_samples: LatestSamplesTable
    minute_samples: MinuteSamplesTable
    five_minute_samples: FiveMinuteSamplesTable
    sample_hours: SampleHoursTable
    agent_traffic_marks: AgentTrafficMarksTable
    alert_rules: AlertChoiceTable & { cluster_id: string }
    account_alert_rules: AlertChoiceTable & { owner: string }
    alert_states: AlertStatesTable
    alert_events: AlertEventsTable
  }
}
