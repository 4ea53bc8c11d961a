/**
 * Decides the notices to the operator. A condition that appears is reported once and its end once; a warning also once
 * a day while it lasts. A condition that could not be checked keeps its state: unknown is neither an end nor a
 * beginning.
 */
export type Severity = 'critical' | 'warning'

/** The name of a condition of one machine: what is well there says nothing of another. */
export function nameOn(host: string, name: string): string {
  return `${name} on ${host}`
}

/** The state of a condition: in words where it holds, `unknown` where it could not be examined. */
export interface Seen {
  name: string
  severity: Severity
  found: { state: 'holds'; text: string } | { state: 'well' } | { state: 'unknown' }
}

/** The last notice to the operator about a condition that holds. */
export interface Known {
  name: string
  severity: Severity
  text: string
  since: Date
  told_at: Date
}

export interface Notice {
  name: string
  severity: Severity
  state: 'appeared' | 'goes on' | 'ended'
  text: string
  since: Date
}

const remindedMs = 24 * 60 * 60_000

/** `ofMachines`: names, without the machine, of conditions that each machine looks at for itself. */
export function decideNotices(
  known: readonly Known[],
  seen: readonly Seen[],
  now: Date,
  ofMachines: readonly string[] = [],
): Notice[] {
  const before = new Map(known.map((row) => [row.name, row]))
  const names = new Set(seen.map(({ name }) => name))
  const notices = seen.flatMap(({ name, severity, found }): Notice[] => {
    const row = before.get(name)
    if (found.state === 'unknown') return []
    if (found.state === 'well') return row ? [{ ...toldOf(row), state: 'ended' }] : []
    if (!row) return [{ name, severity, state: 'appeared', text: found.text, since: now }]
    const isDue = severity === 'warning' && now.getTime() - row.told_at.getTime() >= remindedMs
    return isDue ? [{ name, severity, state: 'goes on', text: found.text, since: row.since }] : []
  })
  const isElsewhere = (name: string) => ofMachines.some((one) => name.startsWith(nameOn('', one)))
  // A condition that this version does not look at any more; those of other machines are looked at there.
  const gone = known
    .filter(({ name }) => !names.has(name) && !isElsewhere(name))
    .map((row) => ({ ...toldOf(row), state: 'ended' as const }))
  return [...notices, ...gone]
}

function toldOf({ name, severity, text, since }: Known) {
  return { name, severity, text, since }
}
