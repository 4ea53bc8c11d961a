/** How the status of a domain stands in the eight steps (spec §4, design/domains "Steps"). */

import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import { type Domain, domainStatuses } from '@atoll/contract/domains'
import { lookUp } from '@atoll/contract/wire'
import type { TextKey } from '../locales/text.ts'
import { needsOwner, type ProblemKey, severeProblems } from './needs-owner.ts'

export const stepCount = domainStatuses.length

type Way = Pick<Domain, 'status' | 'method' | 'isApex'>

export interface DomainStep {
  status: Domain['status']
  title: TextKey
  /** The requirement, in small. */
  hint: TextKey
  /** The result, where it is the same for all. */
  done: TextKey | undefined
}

/** All of them, in the words of how this domain points here. */
export function stepsOf({ method, isApex }: Way): DomainStep[] {
  const isCname = method === 'cname'
  type Words = [title: TextKey, hint: TextKey, done?: TextKey]
  const handOver: Words = isCname
    ? ['domains.stepPoint', 'domains.stepPointHint', 'domains.cnameSeen']
    : [isApex ? 'domains.stepHandOverApex' : 'domains.stepHandOver', 'domains.stepHandOverHint', 'domains.nsSeen']
  const words: Record<Domain['status'], Words> = {
    WAIT_TXT: ['domains.stepProve', 'domains.stepProveHint'],
    WAIT_NS: handOver,
    WAIT_REQUEST_VC: ['domains.stepApply', 'domains.stepApplyHint', 'domains.credentialIssued'],
    WAIT_SUBMIT_VP: ['domains.stepPresent', 'domains.stepPresentHint', 'domains.credentialShown'],
    WAIT_RULE_SET: ['domains.stepRule', 'domains.stepRuleHint'],
    BINDING: isCname
      ? ['domains.stepHosts', 'domains.stepZoneHint', 'domains.hostsServed']
      : ['domains.stepZone', 'domains.stepZoneHint', 'domains.zoneServed'],
    BIND: ['domains.stepId', 'domains.stepIdHint'],
    ALLOCATED: ['domains.stepMembers', 'domains.stepMembersHint'],
  }
  return domainStatuses.map((status) => {
    const [title, hint, done] = words[status]
    return { status, title, hint, done }
  })
}

/** Which step it is at, from 0. */
export function stepAt({ status }: Pick<Domain, 'status'>): number {
  return domainStatuses.indexOf(status)
}

export interface NextStep {
  title: TextKey
  /** Why or what for, in small. */
  text: TextKey
  colour: BadgeColour
  shape: BadgeShape
  /** It does not go on without its owner. */
  needsYou: boolean
}

type Shown = Way & Pick<Domain, 'problem'>

const problemTexts = {
  provenByOther: ['domains.taken', 'domains.takenShort'],
  parentProven: ['domains.taken', 'domains.parentShort'],
  childProven: ['domains.taken', 'domains.childShort'],
  checksPaused: ['domains.paused', 'domains.pausedShort'],
  proofUnseen: ['domains.unseen', 'domains.unseenShort'],
  proofLapsed: ['domains.stepProve', 'domains.lapsedShort'],
  methodWaits: ['domains.moving', 'domains.movingShort'],
  delegationLost: ['domains.lost', 'domains.lostShort'],
  noNameServers: ['domains.noServers', 'domains.noServersShort'],
  contested: ['domains.contested', 'domains.contestedShort'],
  ownerAsked: ['domains.ownerAsked', 'domains.ownerAskedShort'],
  claimRefused: ['domains.taken', 'domains.refusedShort'],
} as const satisfies Record<ProblemKey, readonly [TextKey, TextKey]>

/** A problem that is not known yet: its word, which is a key that no language has. */
const unknownTexts = (key: string) => [key as TextKey, 'domains.unknownShort'] as const

/** The next step of a domain: its obstacle first. */
export function nextOf(domain: Shown): NextStep {
  const { problem, status } = domain
  const needsYou = needsOwner(domain)
  if (problem) {
    const [title, text] = lookUp<ProblemKey, readonly [TextKey, TextKey]>(
      problemTexts,
      problem.key,
      unknownTexts(problem.key),
    )
    if (severeProblems.includes(problem.key)) return { title, text, colour: 'coral', shape: 'disc', needsYou }
    if (problem.key === 'checksPaused') return { title, text, colour: 'grey', shape: 'hollow', needsYou }
    return { title, text, colour: 'amber', shape: 'ring', needsYou }
  }
  const title = stepsOf(domain)[stepAt(domain)]?.title ?? 'domains.ready'
  switch (status) {
    case 'WAIT_TXT':
    case 'WAIT_NS':
      return { title, text: 'domains.waitsForRecord', colour: 'amber', shape: 'ring', needsYou }
    case 'WAIT_REQUEST_VC':
    case 'WAIT_SUBMIT_VP':
    case 'BIND':
      return { title, text: 'domains.waitsForPhone', colour: 'amber', shape: 'hollow', needsYou }
    case 'WAIT_RULE_SET':
      return { title, text: 'domains.waitsForYou', colour: 'amber', shape: 'hollow', needsYou }
    case 'BINDING':
      return { title, text: 'domains.waitsForUs', colour: 'amber', shape: 'ring', needsYou }
    case 'ALLOCATED':
      return { title: 'domains.ready', text: 'domains.haveId', colour: 'green', shape: 'disc', needsYou }
    default:
      return {
        title: status as string as TextKey,
        text: 'domains.unknownShort',
        colour: 'grey',
        shape: 'hollow',
        needsYou,
      }
  }
}
