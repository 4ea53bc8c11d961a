/**
 * Questions of a personal server to its owner's plan before it copies or moves more data (design/wire, "What a
 * cluster's OS calls").
 */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'

/** Bytes. */
const Bytes = z.int().nonnegative()

export const trafficUsage = defineCall({
  name: 'trafficUsage',
  path: '/v1/resource/traffic/usage',
  reach: 'self',
  origins: 'personalServers',
  reads: true,
  topics: ['billing'],
  summary: 'Traffic of this account in the period of its plan, in bytes; the sums of plan/usage.',
  data: z.object({
    /** The plan's quota. */
    totalSize: Bytes,
    usedSize: Bytes,
    /** How much of it is above what the plan includes. */
    overageSize: Bytes,
  }),
})

export const backupUsage = defineCall({
  name: 'backupUsage',
  path: '/v1/resource/backup/usage',
  reach: 'self',
  origins: 'personalServers',
  reads: true,
  topics: ['billing'],
  summary: 'Mean size of this account’s backups in the period of its plan, bytes, and whether there may be more.',
  // Programs of personal servers send fields of their own.
  body: z.object({}),
  data: z.object({
    /** The plan's quota. */
    totalSize: Bytes,
    usageSize: Bytes,
    canBackup: z.boolean(),
    planLevel: z.int(),
  }),
})
