export {
  deleteLeases,
  expireLeases,
  findLease,
  heldBy,
  type Lease,
  reclaimLease,
  releaseLease,
  renewLeases,
  takeLease,
} from './lease-store.ts'
