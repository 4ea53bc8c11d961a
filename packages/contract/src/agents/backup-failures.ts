/** Why a task of a backup did not do what it should; each is another sentence, or another next step. */
export const backupFailures = [
  /** It opens no key of the repository. */
  'wrong_password',
  /** A new repository is not made with it: it has control characters, or nothing but blanks. */
  'unfit_password',
  /** None came with the task and none is kept here. */
  'no_password',
  /** The repository may not grow (507). */
  'quota',
  /** No restic runs on this machine, or one older than 0.14.0. */
  'no_restic',
  /** The repository could not be reached, or refused the grant. */
  'unreachable',
  /** There is no repository there yet. */
  'no_repository',
  /** Another program holds the repository. */
  'locked',
  'no_snapshot',
  /** The stored bytes differ from those written. */
  'damaged',
  /** The drive has no room for what would be restored. */
  'no_room',
  /** A path leaves the drive, does not exist, or cannot be what is asked of it. */
  'bad_path',
  /** A path of the drive cannot be moved out of the way of what would take its place. */
  'not_moved',
  /** Anything else: restic's own words. */
  'failed',
] as const
export type BackupFailure = (typeof backupFailures)[number]
