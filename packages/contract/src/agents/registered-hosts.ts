/** Names below its own host at which a cluster wants to be visited: certificates are ordered for no others. */
import { z } from 'zod'

/** Most that one cluster registers. */
export const mostRegisteredHosts = 20

/** One label in front of the cluster's own host: lower case, as DNS has it (RFC 1123, 2.1). */
export const HostLabel = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)

export const RegisteredHosts = z.array(HostLabel).max(mostRegisteredHosts)
