import { AgentMessage } from '@atoll/contract/agents'

/**
 * What an agent said; undefined for what is no message of this protocol, or holds a character that jsonb cannot.
 * Half a character, left where a line was cut, becomes U+FFFD: jsonb refuses it, and the agent would say it again.
 */
export function readAgentMessage(text: string): AgentMessage | undefined {
  if (text.includes('\\u0000')) return undefined
  try {
    const said: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    )
    return AgentMessage.safeParse(said).data
  } catch {
    return undefined
  }
}
