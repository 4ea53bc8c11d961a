/** HTTPS of a custom domain: how it is, its certificates, and what may be done about them. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'

/** Why a certificate is not there, or is not renewed. */
export const httpsProblems = [
  'caUnreachable',
  'caLimited',
  'caRefused',
  'challengeFailed',
  'caaForbids',
  'orderLimit',
] as const
export type HttpsProblem = (typeof httpsProblems)[number]

/**
 * The party that has to fix a problem with a certificate: the owner (a DNS record), our name server, or the authority.
 */
export const httpsFaults = ['owner', 'nameServer', 'authority'] as const
export type HttpsFault = (typeof httpsFaults)[number]

/** `retry`: what failed can be tried again now. */
export const httpsActions = ['retry'] as const

/** HTTPS of a domain, which no step waits for. */
export const DomainHttps = z.object({
  /** `off`: this deployment gets no certificates. `none`: the domain is not set up yet. */
  state: z.enum(['off', 'none', 'waiting', 'valid', 'expired']),
  /** The end of the certificate that ends first. */
  validUntil: IsoTime.nullable(),
  problem: z
    .object({
      key: z.enum(httpsProblems),
      /** Null: nobody's, a limit has been reached. */
      fault: z.enum(httpsFaults).nullable(),
      since: IsoTime,
      /** The certification authority's own message. */
      detail: z.string().nullable(),
      nextAt: IsoTime,
    })
    .nullable(),
  actions: z.array(z.enum(httpsActions)),
})
export type DomainHttps = z.infer<typeof DomainHttps>

export const certificateActions = ['remove'] as const
export const certificateStates = ['waiting', 'valid', 'expired'] as const

/** A certificate of a domain. */
export const DomainCertificate = z.object({
  names: z.array(z.string()).min(1),
  state: z.enum(certificateStates),
  /** Null until the first was issued. */
  validUntil: IsoTime.nullable(),
  /** False: it ends at `validUntil`; its name is not registered or not visited any more, or another takes its place. */
  isRenewed: z.boolean(),
  /** Of one that a visit ordered, to the day; null: it is for a cluster's own address or for all of the domain. */
  visitedAt: IsoTime.nullable(),
  problem: z.enum(httpsProblems).nullable(),
  actions: z.array(z.enum(certificateActions)),
})
export type DomainCertificate = z.infer<typeof DomainCertificate>

const one = { domain: z.string().max(1000) }

export const domainHttpsRetry = defineCall({
  name: 'domainHttpsRetry',
  path: '/v1/domain/https/retry',
  reach: 'private',
  rate: 'outside',
  topics: ['domain'],
  summary:
    'Tries now to get the certificates of a domain that failed. A certificate that waits for a limit of the authority waits on.',
  body: z.strictObject(one),
  data: DomainHttps,
})

export const domainCertificates = defineCall({
  name: 'domainCertificates',
  path: '/v1/domain/certificates',
  reach: 'private',
  reads: true,
  topics: ['domain'],
  summary: 'The certificates of a domain, by their names.',
  body: pageQuery(one),
  data: pageOf({ certificates: z.array(DomainCertificate) }),
})

export const domainCertificateRemove = defineCall({
  name: 'domainCertificateRemove',
  path: '/v1/domain/certificates/remove',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary:
    "Drops the certificate that a visit of a name ordered. While its cluster registers the name, the next visit orders another. A cluster's own host keeps its own.",
  body: z.strictObject({ ...one, name: z.string().min(1).max(260) }),
})
