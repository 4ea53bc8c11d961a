/**
 * Troubles of the store that its operator has to fix. They damage no file: none is reported as damaged, put back or
 * removed because of one.
 */
import { S3Error } from '../../platform/drivers/s3/s3-client.ts'
import type { Log } from '../../platform/log.ts'
import type { FileKey } from './vault-tables.ts'

const noRight = 'the vault has no permission to use its files'
const isArchived = "a file of the vault is in its storage service's archive, and must be restored from there to be read"
const tooMany = 'the vault has too many open files'
const troubles: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', noRight],
  ['EPERM', noRight],
  ['EROFS', "the vault's disk is read-only"],
  ['EMFILE', tooMany],
  ['ENFILE', tooMany],
])
/** Refusals of S3, with 403, of an object in a class such as Glacier's: to read it, and to copy it. */
const ofArchive = ['InvalidObjectState', 'ObjectNotInActiveTierError']

/** In words; undefined for any other error. */
export function findTrouble(error: unknown): string | undefined {
  if (error instanceof S3Error) {
    if (ofArchive.includes(error.code)) return isArchived
    return error.status === 403 ? noRight : undefined
  }
  return error instanceof Error && 'code' in error ? troubles.get(error.code) : undefined
}

/**
 * For `catch` of work on one file that is tried again later: a trouble of the store is logged, and `value` given; any
 * other error is thrown.
 */
export function ifTrouble<T>(log: Log, { repositoryId, type, name }: FileKey, value: T): (error: unknown) => T {
  return (error) => {
    const trouble = findTrouble(error)
    if (trouble === undefined) throw error
    log.error({ err: error, repositoryId, type, name }, trouble)
    return value
  }
}
