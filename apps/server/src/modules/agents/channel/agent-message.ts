import { AgentMessage } from '@atoll/contract/agents'

/** A measurement that cannot be true, with the fields that say so: it is left out, and the agent goes on. */
export interface RefusedMetrics {
  type: 'refusedMetrics'
  fields: string[]
}

/**
 * What an agent said; undefined for what is no message of this protocol, or holds a character that jsonb cannot.
 * Half a character, left where a line was cut, becomes U+FFFD: jsonb refuses it, and the agent would say it again.
 */
export function readAgentMessage(text: string): AgentMessage | RefusedMetrics | undefined {
  if (text.includes('\\u0000')) return undefined
  const said = readJson(text)
  const { success, data, error } = AgentMessage.safeParse(said)
  if (success) return data
  if (!hasMetrics(said)) return undefined
  return { type: 'refusedMetrics', fields: [...new Set(error.issues.map(({ path }) => path.join('.')))] }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
  } catch {
    return undefined
  }
}

function hasMetrics(said: unknown): boolean {
  return typeof said === 'object' && said !== null && 'type' in said && said.type === 'metrics' && 'metrics' in said
}
