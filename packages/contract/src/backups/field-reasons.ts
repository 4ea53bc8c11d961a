/** Keys of this module's own field checks, each the message of a schema. */
export const backupsFieldReasons = [
  'backupId',
  'snapshotId',
  'grantId',
  'restoreId',
  'clientBackupId',
  'anyBackupId',
  'encodedId',
  'grantDuration',
  'quarterHour',
  'keepNothing',
  'drivePath',
  'backupName',
  'sealedPassword',
  'sealedBox',
  'choiceNeeded',
  'newFolderThere',
  'plainPassword',
] as const

export type BackupsFieldReason = (typeof backupsFieldReasons)[number]
