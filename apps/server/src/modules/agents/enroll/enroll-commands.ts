/**
 * Commands that an owner runs on a host of theirs. Of a token its hash is kept and nothing else; it is derived from
 * the deployment's key and the id of its issue, so an answer that is kept to be repeated holds no secret.
 */
import { type EnrollCommand, enrollTokenLifetimeMs } from '@atoll/contract/clusters'
import type { Clock } from '../../../platform/clock.ts'
import { randomToken, type Sealer, sha256Hex } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { insertWorkerEnrollment, replaceEnrollment } from './enrollment-store.ts'
import { type Replacement, saveReplacement } from './replacement-store.ts'

export interface IssuedCommand {
  issueId: string
  /** ISO 8601. */
  expireAt: string
}

export interface EnrollCommands {
  /** A command for the host of `place`, in place of the one before; undefined when a host has enrolled there. */
  issue(trx: Trx, place: { instanceId: string; clusterId: string }): Promise<IssuedCommand | undefined>
  /** A command for one more host of the cluster; its instance is made when the host comes. */
  issueForWorker(trx: Trx, clusterId: string): Promise<IssuedCommand>
  /** A command for a machine in the place of the cluster's own, which goes on until that machine comes. */
  issueForReplacement(trx: Trx, asked: Pick<Replacement, 'clusterId' | 'restore'>): Promise<IssuedCommand>
  /** The owner's view of an issued command. */
  describe(issued: IssuedCommand): EnrollCommand
}

/** `enrollUrl`: where hosts reach the API, without a trailing slash. */
export function createEnrollCommands({
  sealer,
  clock,
  enrollUrl,
}: {
  sealer: Sealer
  clock: Clock
  enrollUrl: string
}): EnrollCommands {
  // An issued command is shown again with the same token, which is derived with the key that the issue names.
  const tokenOf = (issueId: string) => {
    const [keyId] = issueId.split('.').slice(1)
    const place = keyId === undefined ? sealer.keyIds.length - 1 : sealer.keyIds.indexOf(keyId)
    return sealer.deriveEach('enrol command', issueId).at(Math.max(place, 0)) ?? ''
  }

  function newIssue() {
    const issueId = `${randomToken(16)}.${sealer.keyId}`
    const expiresAt = new Date(clock.now().getTime() + enrollTokenLifetimeMs)
    const issued: IssuedCommand = { issueId, expireAt: expiresAt.toISOString() }
    return { issued, row: { tokenHash: sha256Hex(tokenOf(issueId)), expiresAt } }
  }

  return {
    async issue(trx, place) {
      const { issued, row } = newIssue()
      return (await replaceEnrollment(trx, { ...place, ...row })) ? issued : undefined
    },
    async issueForWorker(trx, clusterId) {
      const { issued, row } = newIssue()
      await insertWorkerEnrollment(trx, { clusterId, ...row })
      return issued
    },
    async issueForReplacement(trx, asked) {
      const { issued, row } = newIssue()
      await saveReplacement(trx, { ...asked, ...row })
      return issued
    },
    describe({ issueId, expireAt }) {
      const enrollToken = tokenOf(issueId)
      return { enrollToken, command: enrollCommandLine(enrollUrl, enrollToken), expireAt }
    },
  }
}

/**
 * One line for a POSIX shell. The token goes in by the environment of the shell that reads the script: arguments are
 * shown to every user of the host by `ps`.
 */
function enrollCommandLine(enrollUrl: string, token: string): string {
  return `curl -fsSL ${enrollUrl}/enroll.sh | ATOLL_ENROLL_TOKEN=${token} sh`
}
