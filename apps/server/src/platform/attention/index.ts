export type { Attention, AttentionSource } from './attention.ts'
