export {
  deleteLeases,
  expireLeases,
  findLease,
  heldBy,
  type Lease,
  reclaimLease,
  releaseLease,
  releaseLeases,
  renewLeases,
  takeLease,
} from './lease-store.ts'
