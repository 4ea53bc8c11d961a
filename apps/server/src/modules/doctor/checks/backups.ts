import { dirname, join } from 'node:path'
import { isLoopback } from '../../../platform/network-of.ts'
import { isBackupUnderWay, listBeside, readSelfBackupAge, readSelfProofAge } from '../../self-backup/index.ts'
import { findReserve } from '../../vault/index.ts'
import { type Check, failed, passed, reasonOf, skipped, warned } from '../check.ts'
import type { CheckContext } from '../context.ts'
import { isPublicUrl } from '../public-url.ts'
import { judgeSpace } from './database.ts'

const group = 'Backups'
const day = 24 * 60 * 60
/** Days. */
const oldestDrill = 30
/** Three intervals of an hourly backup, and of one that is taken once a day (operator-texts, rule 7), s. */
const oldestBackup = 3 * day

const noStore = 'ATOLL_SELF_BACKUP_REPOSITORY is not set: with this disk everything is lost.'
const setStore =
  'Name a repository elsewhere in ATOLL_SELF_BACKUP_REPOSITORY and a file with its password in ATOLL_SELF_BACKUP_PASSWORD_FILE.'

/** Of a folder that is still to be made, that of the one in which it will be. */
async function deviceOf({ statusOf }: Pick<CheckContext, 'statusOf'>, folder: string): Promise<number | undefined> {
  return (
    (await statusOf(folder))?.device ?? (folder === '/' ? undefined : await deviceOf({ statusOf }, dirname(folder)))
  )
}

export const backupChecks: readonly Check[] = [
  {
    name: 'own-store',
    group,
    title: 'The store of the control plane backup opens',
    async look({ config: { selfBackup, isRelease }, context }) {
      if (selfBackup === undefined) return failed(noStore, setStore)
      try {
        await context.tryBackupStore()
        return passed()
      } catch (error) {
        return failed(
          `${reasonOf(error)}`,
          'Put the password of the repository into the file that ATOLL_SELF_BACKUP_PASSWORD_FILE names, then:',
          isRelease ? 'atollctl backup' : 'npm run backup:self',
        )
      }
    },
  },
  {
    name: 'own-backup-age',
    group,
    title: 'The control plane backup is young',
    needsDatabase: true,
    async look({ db, context, config: { selfBackup, isRelease } }) {
      if (selfBackup === undefined) return skipped('there is no store')
      const age = await readSelfBackupAge(db, context.now())
      const mend = 'Look at the log of what takes it, and take one now.'
      const command = isRelease ? 'atollctl backup' : 'npm run backup:self'
      if (age === undefined) return failed('None was ever taken.', mend, command)
      return age <= oldestBackup ? passed() : failed(`The newest is ${Math.floor(age / day)} days old.`, mend, command)
    },
  },
  {
    name: 'own-backup-place',
    group,
    title: 'The control plane backup is not on this disk',
    async look({ config: { selfBackup, dataDir }, context }) {
      if (selfBackup === undefined) return skipped('there is no store')
      const folder = selfBackup.repository.replace(/^local:/, '')
      if (!folder.startsWith('/')) return passed()
      const [store, data] = await Promise.all([deviceOf(context, folder), deviceOf(context, dataDir)])
      if (store !== data) return passed()
      return failed(`${folder} is on the disk of ${dataDir}: what takes one takes both.`, setStore)
    },
  },
  {
    name: 'drill',
    group,
    title: 'Restore drill is younger than 30 days',
    needsDatabase: true,
    async look({ db, context, config: { selfBackup, isRelease } }) {
      if (selfBackup === undefined) return skipped('there is no store')
      const age = await readSelfProofAge(db, context.now())
      const days = age === undefined ? undefined : Math.floor(age / day)
      if (days !== undefined && days <= oldestDrill) return passed(`${days} days old`)
      return warned(
        days === undefined ? 'No backup was ever proven.' : `The newest is ${days} days old.`,
        'Bring one back to a temporary folder and read it:',
        isRelease ? 'atollctl backup verify' : 'npm run backup:verify-self',
      )
    },
  },
  {
    name: 'leftovers',
    group,
    title: 'No backup, proof or restore was cut off',
    needsDatabase: true,
    async look({ pool, context, config: { databaseUrl, dataDir, selfBackup } }) {
      const beside = databaseUrl === undefined ? [] : await listBeside(pool, databaseUrl)
      const left = (kind: string) => beside.filter((one) => one.kind === kind && !one.isInUse).map(({ name }) => name)
      const [restored, proof] = [left('restored'), left('proof')]
      const isUnderWay = await isBackupUnderWay(pool)
      // A repository that does not open is told by another check.
      const half = isUnderWay || selfBackup === undefined ? [] : await context.listHalfDumps().catch(() => [])
      const copy = isUnderWay ? undefined : await context.statusOf(join(dataDir, 'self-backup'))
      const found = [
        ...restored.map((name) => `A restore filled ${name} and did not put it in place.`),
        ...proof.map((name) => `A proof of a backup left ${name}.`),
        ...half.map((at) => `A killed backup left half a dump of ${at.toISOString()}, which no restore uses.`),
        ...(copy ? [`A killed backup left its copy in ${join(dataDir, 'self-backup')}, with the key.`] : []),
      ]
      const kept = beside.filter(({ kind }) => kind === 'before' || kind === 'copy').map(({ name }) => name)
      if (found.length === 0) return passed(kept.length > 0 ? `kept on purpose: ${kept.join(', ')}` : undefined)
      return warned(
        found.join(' '),
        'The next backup, proof or restore removes what the one before it left; half dumps go after a day. By hand:',
        ...[...restored, ...proof].map((name) => `dropdb ${name}`),
      )
    },
  },
  {
    name: 'vault-address',
    group,
    title: 'The vault can be reached by instances',
    async look({ config: { vaultUrl, publicUrl }, readCatalog, context }) {
      const mend = 'Set ATOLL_VAULT_URL to an address that instances reach, and let the role vault answer there.'
      const { clouds } = await readCatalog()
      const isElsewhere = clouds.some(({ lxd }) => lxd !== undefined) || isPublicUrl(publicUrl)
      if (isElsewhere && isLoopback(new URL(vaultUrl).hostname))
        return failed(`${vaultUrl} is an instance's own address, not this machine's.`, mend)
      try {
        // A refusal is an answer of the vault, too.
        const { status } = await context.get(`${vaultUrl}/`)
        return status < 500 ? passed(vaultUrl) : failed(`${vaultUrl} answers ${status}.`, mend)
      } catch (error) {
        return failed(`${vaultUrl} does not answer: ${reasonOf(error)}.`, mend)
      }
    },
  },
  {
    name: 'vault-room',
    group,
    title: 'The vault has room',
    needsDatabase: true,
    async look({ db, config: { vaultDir, vaultBucket }, context }) {
      const mend = 'Make the disk of the vault larger.'
      const since = await findReserve(db)
      if (since !== undefined)
        return failed(
          `The disk is at its reserve since ${since}: backups are refused, and trash goes after a day.`,
          mend,
        )
      if (vaultBucket !== undefined) return passed('a bucket')
      const space = await context.spaceOf(vaultDir)
      if (space === undefined) return skipped(`${vaultDir} is not on this machine`)
      return await judgeSpace({ what: `The disk of ${vaultDir}`, ...space }, async () => mend)
    },
  },
]
