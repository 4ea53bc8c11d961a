/** Live changes: `GET /v1/events`, server-sent events named `change` (design/api). */
import { z } from 'zod'

export const eventsPath = '/v1/events'
export const eventTopics = ['cluster', 'metrics', 'account', 'session'] as const
export type EventTopic = (typeof eventTopics)[number]

/** Says that an object of the account changed; the client asks again. Sent once on connect with topic `hello`. */
export const ChangeEvent = z.object({ topic: z.enum([...eventTopics, 'hello']), id: z.string() })
export type ChangeEvent = z.infer<typeof ChangeEvent>
