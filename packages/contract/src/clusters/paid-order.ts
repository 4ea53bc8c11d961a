/** The page of a paid order (`/paid/{clusterId}`; look/boards-40-49, 46). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId } from '../wire/fields.ts'

export const clusterOrder = defineCall({
  name: 'clusterOrder',
  path: '/v1/resource/cluster/order',
  reach: 'object',
  reads: true,
  topics: ['cluster', 'billing'],
  summary: 'The invoice by which a cluster was ordered.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({
    /** The newest, where an order was paid late; null where nothing was charged, and for everybody but its owner. */
    invoiceId: z.string().nullable(),
  }),
})

export const installTime = defineCall({
  name: 'installTime',
  path: '/v1/resource/installTime',
  reach: 'self',
  reads: true,
  topics: [],
  summary: 'How long the last installs of a size took here, from payment until it runs.',
  body: z.strictObject({ cloudName: z.string().min(1).max(40), offering: z.string().min(1).max(40) }),
  data: z.object({
    /** Their median, whole seconds; null while none of that size was installed. */
    seconds: z.int().nullable(),
  }),
})
