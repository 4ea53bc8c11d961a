/** `/v1/domain`: custom domains (wire, "Domain calls"; design/domains). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { CompactJws, IsoTime, RequestId } from '../wire/fields.ts'
import { DomainHttps } from './https.ts'
import { OwnRecord, TypedRecords } from './own-records.ts'
import { domainActions, domainMethods, domainStatuses, ruleTypes } from './status.ts'
import { DomainTransfer } from './transfers.ts'
import { DomainVerdict } from './verdicts.ts'

/** As typed: the server says what is wrong with it. A name of 190 characters may be longer in its own letters. */
const TypedDomain = z.string().max(1000)

/** Obstacles that a domain waits for. They are no failure: it goes on when the obstacle is gone. */
export const domainProblems = [
  'provenByOther',
  'parentProven',
  'childProven',
  'checksPaused',
  /** The record of a claim that is not linked yet is not seen: it lapses at `until`, or when somebody shows theirs. */
  'proofUnseen',
  'proofLapsed',
  'methodWaits',
  'delegationLost',
  'noNameServers',
  /**
   * Somebody else has proven this linked domain, or `other`, which contains it or is a part of it while this one leads
   * here any longer: show the TXT record again until `until`, or lose it.
   */
  'contested',
  /** The same from the other side: the present owner can answer until `until`. */
  'ownerAsked',
  /** They answered. */
  'claimRefused',
] as const
export type DomainProblem = (typeof domainProblems)[number]

const Record = z.object({ name: z.string(), value: z.string() })

/** A domain as wallets know it, and what the console shows besides. */
export const Domain = z.object({
  id: z.int(),
  userid: z.string(),
  /** A-labels, lower case. */
  domain: z.string(),
  /** How it is shown: in its own letters unless they could imitate others. */
  shown: z.string(),
  status: z.enum(domainStatuses),
  method: z.enum(domainMethods),
  /** Directly below a public suffix. */
  isApex: z.boolean(),
  /** The owner's ID under this domain. */
  terminusName: z.string().optional(),
  did: z.string(),
  /** The record that proves it, until it is linked. */
  txt: Record.optional(),
  /** `[ns1.example,ns2.example]`, where it is delegated. */
  ns: z.string().optional(),
  /** The answer of `requestDomainVC`, as JSON. */
  fullString: z.string().optional(),
  rule_type: z.enum(ruleTypes).optional(),
  rule_data: z.string().optional(),
  /** How many have an ID under it, once it is in use. */
  members: z.int().optional(),
  problem: z
    .object({ key: z.enum(domainProblems), since: IsoTime, other: z.string().optional(), until: IsoTime.optional() })
    .nullable(),
  actions: z.array(z.enum(domainActions)),
  createAt: IsoTime,
  updateAt: IsoTime,
})
export type Domain = z.infer<typeof Domain>

/** A record to add where the domain's DNS is kept. */
export const DomainRecord = z.object({
  type: z.enum(['TXT', 'NS', 'CNAME']),
  name: z.string(),
  /** Each is a record of its own. */
  values: z.array(z.string()).min(1),
  /** The other name at which it counts too; left out where there is none. */
  alsoAt: z.string().optional(),
})
export type DomainRecord = z.infer<typeof DomainRecord>

/** The zone that our name servers will answer, while they load it. */
export const DomainZone = z.object({
  /** Of its SOA: grows with every change. */
  serial: z.int(),
  records: z.array(
    z.object({
      type: z.enum(['SOA', 'NS', 'MX', 'TXT', 'CAA', 'A', 'AAAA', 'CNAME']),
      name: z.string(),
      values: z.array(z.string()).min(1),
    }),
  ),
})
export type DomainZone = z.infer<typeof DomainZone>

export const DomainDetail = Domain.extend({
  /** The records awaited at this step; empty if none are. */
  records: z.array(DomainRecord),
  look: z.object({
    checkedAt: IsoTime.nullable(),
    /** Null: no automatic check is due. */
    nextAt: IsoTime.nullable(),
    /** When the checks of this step pause; null where they go on. */
    until: IsoTime.nullable(),
    passed: z.boolean(),
    verdicts: z.array(DomainVerdict),
  }),
  /** The ways that this deployment offers. */
  methods: z.array(z.enum(domainMethods)),
  https: DomainHttps,
  /**
   * The CNAME record by which the owner may have one wildcard in place of a certificate for each host; null: not in
   * this deployment, or not with this method or at this step.
   */
  challengeAlias: z.object({ name: z.string(), target: z.string(), isSeen: z.boolean() }).nullable(),
  /** The offer that is open; null: it is not being handed on. */
  transfer: DomainTransfer.nullable(),
  /** At BINDING of a delegated domain; null at every other step. */
  zone: DomainZone.nullable(),
  /** The owner's own records in the zone; null: it is not delegated here. */
  ownRecords: z.array(OwnRecord).nullable().default(null),
  /** When the TXT record was seen. */
  provenAt: IsoTime.nullable(),
  /** The public mail provider of a rule that was refused since the last one was taken, as wallets do not say it. */
  ruleRefused: z.string().nullable(),
  /** Public mail providers in the rule: anybody can join. */
  ruleProviders: z.array(z.string()),
  /** The end of the credential; null while none was issued. */
  credentialUntil: IsoTime.nullable(),
})
export type DomainDetail = z.infer<typeof DomainDetail>

const one = { domain: TypedDomain }

export const domainList = defineCall({
  name: 'domainList',
  path: '/v1/domain/domains',
  reach: 'self',
  origins: 'ownWallet',
  reads: true,
  topics: ['domain', 'account'],
  summary: "The account's custom domains, the newest first.",
  data: z.object({
    domains: z.array(Domain),
    /** The ways in which a domain can be linked here. */
    methods: z.array(z.enum(domainMethods)),
    /** Domains of others that the account can take over. */
    offers: z.array(DomainTransfer),
    /** Why none can be added. */
    refused: z.string().optional(),
  }),
})

export const domainAdd = defineCall({
  name: 'domainAdd',
  path: '/v1/domain/add',
  reach: 'self',
  rate: 'outside',
  topics: ['domain'],
  summary: 'Begins to link a domain. One of the account that is there already is answered as it is.',
  body: z.strictObject({
    ...one,
    /** Left out: delegation where this deployment has name servers and the domain is no apex. */
    method: z.enum(domainMethods).optional(),
    /** An apex that is delegated, typed once more: its mail and web records move. */
    confirm: z.string().max(1000).optional(),
    requestId: RequestId.optional(),
  }),
  data: Domain,
})

export const domainDetail = defineCall({
  name: 'domainDetail',
  path: '/v1/domain/detail',
  reach: 'private',
  origins: 'ownWallet',
  reads: true,
  topics: ['domain', 'account'],
  summary: 'A domain with the records that are awaited, and what the last look at DNS found.',
  body: z.strictObject(one),
  data: DomainDetail,
})

export const domainCheck = defineCall({
  name: 'domainCheck',
  path: '/v1/domain/check',
  reach: 'private',
  rate: 'outside',
  topics: ['domain'],
  summary: 'Looks at DNS now, and begins the checks again. Once in five seconds.',
  body: z.strictObject(one),
  data: Domain,
})

export const domainMethod = defineCall({
  name: 'domainMethod',
  path: '/v1/domain/method',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Chooses how the domain points here. The same way again changes nothing.',
  body: z.strictObject({
    ...one,
    method: z.enum(domainMethods),
    confirm: z.string().max(1000).optional(),
    /** With delegation: the owner's records that are copied into the zone. */
    records: TypedRecords.optional(),
  }),
  data: Domain,
})

export const domainRestart = defineCall({
  name: 'domainRestart',
  path: '/v1/domain/restart',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Starts over with a new TXT record; a delegated apex keeps its proof while it is delegated here.',
  body: z.strictObject(one),
  data: Domain,
})

export const domainDelete = defineCall({
  name: 'domainDelete',
  path: '/v1/domain/delete',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Removes a domain. One that is linked is typed as `confirm`.',
  body: z.strictObject({ ...one, confirm: z.string().max(1000).optional() }),
})

export const domainRuleSet = defineCall({
  name: 'domainRuleSet',
  path: '/v1/domain/set_domain_rule',
  reach: 'private',
  origins: 'ownWallet',
  rate: 'change',
  topics: ['domain'],
  summary:
    'Sets who may join: people with an email at one of the suffixes, or people who were invited. The last one wins.',
  body: z.strictObject({
    ...one,
    ruleType: z.enum(ruleTypes),
    /** Suffixes separated by commas; nothing for named addresses. */
    ruleData: z.string().max(6000).default(''),
  }),
  data: z.object({ ruleType: z.enum(ruleTypes), ruleData: z.string() }),
})

export const domainRuleShow = defineCall({
  name: 'domainRuleShow',
  path: '/v1/domain/get_domain_rule',
  reach: 'anyone',
  reads: true,
  summary:
    'The rule by which people join a domain; empty while it is not decided. Wallets ask it before anybody signs in.',
  body: z.strictObject(one),
  data: z.object({ ruleType: z.enum(ruleTypes).or(z.literal('')), ruleData: z.string() }),
})

/** The body that a wallet posts. */
const signed = { ...one, jws: CompactJws }

export const requestDomainVC = defineCall({
  name: 'requestDomainVC',
  path: '/v1/domain/requestDomainVC',
  reach: 'private',
  origins: 'ownWallet',
  rate: 'change',
  topics: ['domain'],
  summary: 'Issues the credential of a domain to the wallet that signed the application; again gives the same one.',
  body: z.strictObject(signed),
  data: z.object({
    credential_response: z.looseObject({}),
    verifiableCredentials: z.array(z.string()),
    responseJwt: z.string(),
  }),
})

export const submitDomainVP = defineCall({
  name: 'submitDomainVP',
  path: '/v1/domain/submitDomainVP',
  reach: 'private',
  origins: 'ownWallet',
  rate: 'change',
  topics: ['domain', 'account'],
  summary: 'Takes the presentation of a credential. A fault in it is the reason of a `denied`, not a refusal.',
  body: z.strictObject({
    ...signed,
    /** The first ID, with its domain or without, to take it at once. */
    admin_olares_id: z.string().min(1).max(260).optional(),
  }),
  data: z.object({
    status: z.enum(['approved', 'denied']),
    reason: z.string(),
    adminOlaresId: z.string().optional(),
  }),
})
