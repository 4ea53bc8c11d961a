/** Why an operation of a cluster did not work out; `{said}` is what a provider or an agent said, in its own words. */
import type { Reasons } from '../wire/reasons.ts'
import { words } from '../wire/words.ts'

export const clustersReasons = {
  staffGaveUp: words('{said}', '{said}'),
  fetchingLate: words('No resources were allocated in time.', '未能及时分配资源。'),
  queuingLate: words('The provider did not provide the instance in time.', '提供方未能及时交付实例。'),
  pendingLate: words('The install did not begin in time.', '安装未能及时开始。'),
  installingLate: words('The install did not end in time.', '安装未能及时完成。'),
  restoringLate: words('The restore did not end in time.', '恢复未能及时完成。'),
  startingLate: words('It did not start in time.', '未能及时启动。'),
  restartingLate: words('It did not restart in time.', '未能及时重启。'),
  stoppingLate: words('It did not stop in time.', '未能及时停止。'),
  destroyingLate: words(
    'It was not removed in time. Removing it is tried again every few minutes.',
    '未能及时移除，系统会每隔几分钟再次尝试。',
  ),
  cancelingLate: words(
    'It was not canceled in time. This is tried again every few minutes.',
    '未能及时取消，系统会每隔几分钟再次尝试。',
  ),
  workersMoving: words('Its workers are not finished yet.', '工作节点尚未处理完毕。'),
  providerUnreachable: words('The provider could not be reached: {said}.', '无法联系提供方：{said}。'),
  providerSaid: words('Last answer of the provider: {said}.', '提供方最近的答复：{said}。'),
  providerRefused: words('The provider refused: {said}.', '提供方拒绝了请求：{said}。'),
  soldOut: words(
    'The provider has no room for this size now. Retry later, or order another size.',
    '提供方目前没有这种规格的余量。请稍后重试，或选择其他规格。',
  ),
  noRoomYet: words('The provider has no room for it yet.', '提供方暂时没有余量。'),
  noEffectYet: words(
    'The provider accepted the request and has not acted on it yet.',
    '提供方已接受请求，但尚未执行。',
  ),
  noMachineYet: words(
    'It is waiting for its machine: run the command on it.',
    '正在等待机器加入：请在机器上运行命令。',
  ),
  machineNotCome: words(
    'No machine used the command in time. Get a new command, and run it on the machine.',
    '没有机器在限期内使用命令。请获取新命令，并在机器上运行。',
  ),
  agentSilent: words('The instance runs, but its agent does not report.', '实例正在运行，但其代理程序没有上报。'),
  installFailed: words('The install failed: {said}', '安装失败：{said}'),
  installFailedSilently: words('The install failed. Its log shows where.', '安装失败，失败之处见安装日志。'),
  endedTooOften: words('The instance ended {times} times in a row.', '实例连续 {times} 次意外终止。'),
  gone: words(
    'The provider no longer has this instance and its files. Repair creates a new, empty one; retry if it may come back.',
    '提供方已没有这个实例及其文件。“修复”会重新创建一个空实例；如果它可能恢复，请重试。',
  ),
  hostLost: words(
    'The machine "{host}" that this instance runs on cannot be reached. It continues automatically when the machine returns; repair creates a new, empty one elsewhere.',
    '这个实例所在的机器“{host}”无法访问。机器恢复后它会自动继续；“修复”会在别处重新创建一个空实例。',
  ),
  machineSilent: words(
    'Its machine has not reported for a while. It continues by itself when the machine reports again.',
    '它的机器已有一段时间没有上报。机器重新上报后它会自动继续。',
  ),
  cloudGone: words('The catalogue no longer has the cloud "{cloud}".', '目录中已没有云“{cloud}”。'),
  versionGone: words('The catalogue no longer has the version "{version}".', '目录中已没有版本“{version}”。'),
  drainLate: words(
    'Its agent did not answer in time, so it was removed without waiting.',
    '代理程序未在限定时间内答复，因此未等待便已移除。',
  ),
} as const satisfies Reasons
