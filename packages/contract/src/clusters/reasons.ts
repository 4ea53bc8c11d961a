/** Why an operation of a cluster did not work out; `{said}` is what a provider or an agent said, in its own words. */
import type { Reasons } from '../wire/reasons.ts'

export const clustersReasons = {
  fetchingLate: { 'en-US': 'No resources were allocated in time.', 'zh-CN': '未能及时分配资源。' },
  queuingLate: { 'en-US': 'The provider did not provide the instance in time.', 'zh-CN': '提供方未能及时交付实例。' },
  pendingLate: { 'en-US': 'The install did not begin in time.', 'zh-CN': '安装未能及时开始。' },
  installingLate: { 'en-US': 'The install did not end in time.', 'zh-CN': '安装未能及时完成。' },
  restoringLate: { 'en-US': 'The restore did not end in time.', 'zh-CN': '恢复未能及时完成。' },
  startingLate: { 'en-US': 'It did not start in time.', 'zh-CN': '未能及时启动。' },
  restartingLate: { 'en-US': 'It did not restart in time.', 'zh-CN': '未能及时重启。' },
  stoppingLate: { 'en-US': 'It did not stop in time.', 'zh-CN': '未能及时停止。' },
  destroyingLate: {
    'en-US': 'It was not removed in time. Removing it is tried again every few minutes.',
    'zh-CN': '未能及时移除，系统会每隔几分钟再次尝试。',
  },
  cancelingLate: {
    'en-US': 'It was not canceled in time. This is tried again every few minutes.',
    'zh-CN': '未能及时取消，系统会每隔几分钟再次尝试。',
  },
  workersMoving: { 'en-US': 'Its workers are not finished yet.', 'zh-CN': '工作节点尚未处理完毕。' },
  providerUnreachable: { 'en-US': 'The provider could not be reached: {said}.', 'zh-CN': '无法联系提供方：{said}。' },
  providerSaid: { 'en-US': 'Last answer of the provider: {said}.', 'zh-CN': '提供方最近的答复：{said}。' },
  providerRefused: { 'en-US': 'The provider refused: {said}.', 'zh-CN': '提供方拒绝了请求：{said}。' },
  soldOut: {
    'en-US': 'The provider has no room for this size now. Retry later, or order another size.',
    'zh-CN': '提供方目前没有这种规格的余量。请稍后重试，或选择其他规格。',
  },
  noRoomYet: { 'en-US': 'The provider has no room for it yet.', 'zh-CN': '提供方暂时没有余量。' },
  noEffectYet: {
    'en-US': 'The provider accepted the request and has not acted on it yet.',
    'zh-CN': '提供方已接受请求，但尚未执行。',
  },
  noMachineYet: {
    'en-US': 'It is waiting for its machine: run the command on it.',
    'zh-CN': '正在等待机器加入：请在机器上运行命令。',
  },
  machineNotCome: {
    'en-US': 'No machine used the command in time. Get a new command, and run it on the machine.',
    'zh-CN': '没有机器在限期内使用命令。请获取新命令，并在机器上运行。',
  },
  agentSilent: {
    'en-US': 'The instance runs, but its agent does not report.',
    'zh-CN': '实例正在运行，但其代理程序没有上报。',
  },
  installFailed: { 'en-US': 'The install failed: {said}', 'zh-CN': '安装失败：{said}' },
  installFailedSilently: {
    'en-US': 'The install failed. Its log shows where.',
    'zh-CN': '安装失败，失败之处见安装日志。',
  },
  endedTooOften: { 'en-US': 'The instance ended {times} times in a row.', 'zh-CN': '实例连续 {times} 次意外终止。' },
  gone: {
    'en-US':
      'The provider no longer has this instance and its files. Repair creates a new, empty one; retry if it may come back.',
    'zh-CN': '提供方已没有这个实例及其文件。“修复”会重新创建一个空实例；如果它可能恢复，请重试。',
  },
  hostLost: {
    'en-US':
      'The machine "{host}" that this instance runs on cannot be reached. It continues by itself when the machine returns; repair creates a new, empty one elsewhere.',
    'zh-CN': '这个实例所在的机器“{host}”无法访问。机器恢复后它会自动继续；“修复”会在别处重新创建一个空实例。',
  },
  machineSilent: {
    'en-US': 'Its machine has not reported for a while. It continues by itself when the machine reports again.',
    'zh-CN': '它的机器已有一段时间没有上报。机器重新上报后它会自动继续。',
  },
  cloudGone: { 'en-US': 'The catalogue no longer has the cloud "{cloud}".', 'zh-CN': '目录中已没有云“{cloud}”。' },
  versionGone: {
    'en-US': 'The catalogue no longer has the version "{version}".',
    'zh-CN': '目录中已没有版本“{version}”。',
  },
  drainLate: {
    'en-US': 'Its agent did not answer in time, so it was removed without waiting.',
    'zh-CN': '代理程序未在限定时间内答复，因此未等待便已移除。',
  },
} as const satisfies Reasons
