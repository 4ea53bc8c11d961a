/**
 * State machine of one rule for one instance. Pure; evaluated each minute.
 *   ok        below the threshold
 *   pending   at or above it since `since`, in every evaluation; a gap between evaluations starts over
 *   firing    at or above it for as long as the rule demands; until the value is below `clearBelow`, so that a value
 *             that fluctuates around the threshold does not fire and clear in turn
 *
 * Without a sample nothing changes: silence neither fires nor clears, and is covered by `offline`. A mail is sent when
 * it fires, at most one an hour, and when an alert that was mailed clears; so an hour has two at most.
 */

export interface AlertRule {
  /** Fires at this or above. */
  threshold: number
  /** Clears below this; at most the threshold. */
  clearBelow: number
  /** How long it must hold before it fires. */
  forMinutes: number
  /** Whether who owns it is mailed. */
  mail: boolean
}

export interface AlertState {
  state: 'ok' | 'pending' | 'firing'
  /** When it became so. */
  since: Date
  /** When it was evaluated last with a sample. */
  seenAt: Date
  /** When it was mailed last that it fired; null: never, or long ago. */
  mailedAt: Date | null
  /** Whether it was mailed that it fires now. */
  isMailed: boolean
}

export type AlertEvent = 'fired' | 'cleared'

export interface AlertDecision {
  after: AlertState
  /** For the history. */
  event?: AlertEvent
  mail?: AlertEvent
}

const minuteMs = 60_000
/** Evaluations further apart than this have a gap between them: nobody knows what was. ms */
const longestGapMs = 3 * minuteMs
const mailEveryMs = 60 * minuteMs

export function firstAlertState(now: Date): AlertState {
  return { state: 'ok', since: now, seenAt: now, mailedAt: null, isMailed: false }
}

/** The state that follows `before` at `now`; `value` undefined: no sample of the last minute. */
export function decideAlert(rule: AlertRule, before: AlertState, value: number | undefined, now: Date): AlertDecision {
  if (value === undefined) return { after: before }
  const seen = { ...before, seenAt: now }
  if (before.state === 'firing') {
    if (value >= rule.clearBelow) return withMail(rule, { after: seen }, now)
    const after: AlertState = { ...seen, state: 'ok', since: now, isMailed: false }
    return { after, event: 'cleared', ...(before.isMailed && rule.mail && { mail: 'cleared' }) }
  }
  if (value < rule.threshold) return { after: before.state === 'ok' ? seen : { ...seen, state: 'ok', since: now } }
  const sinceSeen = now.getTime() - before.seenAt.getTime()
  const goesOn = before.state === 'pending' && sinceSeen >= 0 && sinceSeen <= longestGapMs
  const since = goesOn ? before.since : now
  if (now.getTime() - since.getTime() < rule.forMinutes * minuteMs)
    return { after: { ...seen, state: 'pending', since } }
  return withMail(rule, { after: { ...seen, state: 'firing', since: now, isMailed: false }, event: 'fired' }, now)
}

/** With the mail that it fires, unless none is wanted, that was sent, or another within the hour. */
function withMail({ mail }: AlertRule, decision: AlertDecision, now: Date): AlertDecision {
  const { isMailed, mailedAt } = decision.after
  if (!mail || isMailed || isMailRecent(mailedAt, now)) return decision
  return { ...decision, after: { ...decision.after, isMailed: true, mailedAt: now }, mail: 'fired' }
}

/** Whether a mail was sent within the hour; so long ago or so far ahead that the clock was set, it was not. */
export function isMailRecent(mailedAt: Date | null, now: Date): boolean {
  return mailedAt !== null && Math.abs(now.getTime() - mailedAt.getTime()) < mailEveryMs
}
