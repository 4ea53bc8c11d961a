/** Live changes: `GET /v1/events`, server-sent events named `change` (design/api). */
import { z } from 'zod'

export const eventsPath = '/v1/events'
export const eventTopics = [
  ...(['cluster', 'metrics', 'account', 'session', 'billing', 'backup', 'domain'] as const),
  /** Told to staff alone. */
  'operator',
] as const
export type EventTopic = (typeof eventTopics)[number]

/**
 * Says that an object the account may see changed; the client asks again. Each carries, as the event's own id, its
 * number; numbers grow, and a client that sends the last one it saw (`Last-Event-ID`) gets all that came after
 * it. Sent once on connect with topic `hello`: with `resync` when changes may have been missed, so that everything has
 * to be asked for again; without it when what follows is complete.
 */
export const ChangeEvent = z.object({
  topic: z.enum([...eventTopics, 'hello']),
  id: z.string(),
  resync: z.boolean().optional(),
})
export type ChangeEvent = z.infer<typeof ChangeEvent>
