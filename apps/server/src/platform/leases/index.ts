export {
  deleteLeases,
  expireLeases,
  findLease,
  heldBy,
  isAnyHeld,
  type Lease,
  reclaimLease,
  releaseLease,
  releaseLeases,
  renewLeases,
  takeLease,
} from './lease-store.ts'
