/** Reasons why a backup run waits or failed. */
import type { Reasons } from '../wire/reasons.ts'
import { words } from '../wire/words.ts'

export const backupsReasons = {
  backupWaitsMachine: words('Waits for the machine, which is not connected.', '正在等待机器连接。'),
  backupWaitsPassword: words('Waits for the backup password.', '正在等待备份密码。'),
  backupWaitsRestic: words(
    'The machine has no restic. Install the package "restic" there; the run then starts automatically.',
    '机器上没有 restic。请在机器上安装软件包 “restic”，随后会自动开始。',
  ),
  backupWaitsAgent: words(
    'The agent of this machine is too old for backups. Update it; the run then starts automatically.',
    '这台机器的代理版本过旧，不支持备份。请更新代理，随后会自动开始。',
  ),
  backupWaitsRelease: words(
    'Waits until the suspension of this cluster is released.',
    '集群已被暂停，解除后会自动开始。',
  ),
  backupWaitsSlot: words('Waits until other backups are done.', '正在等待其他备份完成。'),
  backupWaitsGuard: words(
    'You need to first disable the existing {product} that adopts the current {product} ID before you can restore a new {product} with the backup data.',
    '请先停用正在使用当前 {product} ID 的 {product}，然后才能用备份数据恢复新的 {product}。',
  ),
  backupRestoreEnded: words(
    'The restore was ended, because its backup is being deleted.',
    '备份正在删除，恢复已中止。',
  ),
  backupPasswordWrong: words('Backup password incorrect, please re-enter.', '备份密码不正确，请重新输入。'),
  backupPasswordUnfit: words(
    'This password cannot be used: it is only blanks, or has a tab, a line break or another control character. Enter another one.',
    '此密码无法使用：只有空白，或含有制表符、换行符等控制字符。请换一个密码。',
  ),
  backupQuotaFull: words(
    'There is no room left for backups in your plan. Make room, or choose a larger plan.',
    '套餐的备份空间已用尽。请腾出空间，或选择更大的套餐。',
  ),
  backupStoreFull: words(
    'The backup store itself is full, not your plan. Its operator has been warned; the next run tries again.',
    '备份存储空间已满，与你的套餐无关。运营方已收到警报，下次运行会重试。',
  ),
  backupUnreachable: words('The machine could not reach the backup store.', '机器无法连接备份存储。'),
  backupWaitsRun: words('Waits for the snapshot that is taken first.', '正在等待先行的快照完成。'),
  backupRunMissing: words(
    'The snapshot that was to be taken first did not work out, so nothing was replaced.',
    '先行的快照未能完成，因此没有替换任何文件。',
  ),
  backupNotMoved: words('Nothing was replaced: {said}', '没有替换任何文件：{said}'),
  backupNoRestic: words(
    'The machine has no restic 0.14 or newer. Install the package "restic" there.',
    '机器上没有 restic 0.14 或更高版本。请在机器上安装软件包 “restic”。',
  ),
  backupProofCanceled: words('The verification was canceled.', '校验已取消。'),
  backupNotStored: words('The backup store did not receive the snapshot.', '备份存储没有收到快照。'),
  backupDamaged: words(
    'What is stored is not what was written: the backup is damaged.',
    '存储的内容与写入的不一致，备份已损坏。',
  ),
  backupFileUnusable: words(
    'A stored file cannot be used: {file}. It came at {time}, under the right {grant}. You can go back to before that.',
    '有一个存储文件无法使用：{file}。它于 {time} 存入（权限 {grant}），你可以回退到此前的状态。',
  ),
  backupNoRoom: words('The drive has no room for the files.', '云盘空间不足，放不下这些文件。'),
  backupEmpty: words('There is no file to back up yet.', '还没有可备份的文件。'),
  backupBadPath: words('A folder of this backup is not there.', '这个备份中的某个文件夹不存在。'),
  backupNotListed: words('The files could not be listed. Try again.', '无法列出文件，请重试。'),
  backupChoiceGone: words(
    'The chosen files are not in this snapshot, or cannot be put where they were.',
    '所选文件不在这个快照中，或无法放回原位置。',
  ),
  backupClusterLost: words('The cluster is gone.', '集群已不存在。'),
  backupGivenUp: words('It could not begin before the next one was due.', '未能在下一次到期之前开始。'),
  backupFileDamaged: words('A stored file is not what was written: {file}.', '有一个存储文件与写入的不一致：{file}。'),
  drillNothing: words('No file came back.', '没有恢复出任何文件。'),
  drillWarned: words('Restoring it brought warnings.', '恢复过程中出现警告。'),
  drillChanged: words(
    'More than 5 % of the files changed while they were backed up.',
    '备份期间有超过 5% 的文件发生变化。',
  ),
  drillDiffers: words('What came back is not what was backed up.', '恢复的内容与备份的不一致。'),
  drillSoldOut: words(
    'There was no room for a machine to drill on. It is tried again a day later.',
    '当时没有可用于演练的机器余量，一天后会再试。',
  ),
  drillNotMade: words(
    'The machine to drill on could not be made. It is tried again a day later.',
    '用于演练的机器未能创建，一天后会再试。',
  ),
  drillNotReady: words(
    'The drill could not begin within half an hour: a machine was not connected. It is tried again a day later.',
    '有机器未连接，演练未能在半小时内开始，一天后会再试。',
  ),
  drillMachineLost: words(
    'The machine to drill on was lost. It is tried again a day later.',
    '用于演练的机器已失联，一天后会再试。',
  ),
  drillLate: words(
    'The drill took longer than six hours and was ended. It is tried again a day later.',
    '演练超过六小时，已中止，一天后会再试。',
  ),
  backupHashingLate: words(
    'The store did not get through all files in a week. Try again.',
    '存储未能在一周内读完所有文件，请重试。',
  ),
  restoreUnread: words(
    'Restored, {files} files could not be read. The page Backups of the personal server names them; what was there in their place stays.',
    '已恢复，有 {files} 个文件无法读取。个人服务器的“备份”页面列出了这些文件，其原有版本保持不变。',
  ),
  backupUnread: words('{files} files could not be read.', '有 {files} 个文件无法读取。'),
} as const satisfies Reasons
