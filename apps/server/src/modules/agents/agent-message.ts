import { AgentMessage } from '@atoll/contract/agents'
import { findUnstorable } from '@atoll/contract/wire'

/** A measurement that cannot be true, with the fields that say so: it is left out, and the agent goes on. */
export interface RefusedMetrics {
  type: 'refusedMetrics'
  fields: string[]
}

/** A message with a NUL, which jsonb cannot hold, and the field that has it. */
export interface UnstorableMessage {
  type: 'unstorable'
  field: string
}

/**
 * The message that `text` is; undefined when it is not a message of this protocol. Half of a character, left where a
 * line was cut, becomes U+FFFD: jsonb refuses it, and the agent would send it again.
 */
export function readAgentMessage(text: string): AgentMessage | RefusedMetrics | UnstorableMessage | undefined {
  const said = readJson(text)
  const unstorable = findUnstorable(said)
  if (unstorable) return { type: 'unstorable', field: unstorable.join('.') }
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
