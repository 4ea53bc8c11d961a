/**
 * Why an action on a cluster or an instance is not possible now. The same sentence stands
 * beside the action in `refusals` and answers a call that asks for it all the same.
 */
import { codes } from '../wire/envelope.ts'

export const actionRefusals = {
  actionRefused: {
    code: codes.conflict,
    'en-US': 'It cannot {action} while it is {status}.',
    'zh-CN': '状态为“{status}”时不能执行“{action}”。',
  },
  actionWhileMoving: {
    code: codes.conflict,
    'en-US': 'It is {status} right now. Once that has ended, it can {action}.',
    'zh-CN': '当前状态为“{status}”，结束后才能执行“{action}”。',
  },
  actionAfterEnd: {
    code: codes.conflict,
    'en-US': 'It is {status}: nothing can be done with it any more.',
    'zh-CN': '它的状态为“{status}”，不能再执行任何操作。',
  },
  startsByItself: {
    code: codes.conflict,
    'en-US': 'It is {status} and will run after that: it need not be started.',
    'zh-CN': '当前状态为“{status}”，结束后会自动运行，无需启动。',
  },
  destroyHeld: {
    code: codes.conflict,
    'en-US':
      'This cluster is suspended, so its destruction cannot wait to be confirmed. Confirm it with the refund that is shown now.',
    'zh-CN': '此集群已被暂停，销毁无法等待确认。请按目前显示的退款金额确认。',
  },
  givenUp: {
    code: codes.conflict,
    'en-US': 'Its machine was given up. Destroy it, or take it back first.',
    'zh-CN': '它的机器已放弃。请销毁，或先收回。',
  },
  nothingToGiveUp: {
    code: codes.conflict,
    'en-US': 'Only a machine that is errored or offline can be given up.',
    'zh-CN': '只有出错或离线的机器才能放弃。',
  },
  notGivenUp: {
    code: codes.conflict,
    'en-US': 'Its machine was not given up: there is nothing to take back.',
    'zh-CN': '它的机器没有放弃，无需收回。',
  },
  addressTaken: {
    code: codes.conflict,
    'en-US': 'Another cluster has its address now. Destroy that one before this one is taken back.',
    'zh-CN': '它的地址已由另一个集群使用。请先销毁那个集群，再收回这一个。',
  },
  noMachineToReplace: {
    code: codes.conflict,
    'en-US': 'No machine has joined yet: there is none to replace. Run the join command on the new one.',
    'zh-CN': '还没有机器加入，无需更换。请在新机器上运行加入命令。',
  },
  rivalActive: {
    code: codes.conflict,
    'en-US':
      '{rival} was made of the same backup and is active with your ID. Stop or destroy it before this one runs again.',
    'zh-CN': '{rival} 由同一备份恢复，正在使用你的 ID。请先停止或销毁它，再让这个集群重新运行。',
  },
  alreadyStopping: { code: codes.conflict, 'en-US': 'It is being stopped already.', 'zh-CN': '它已在停止中。' },
  alreadyRunning: { code: codes.conflict, 'en-US': 'It is running already.', 'zh-CN': '它已在运行。' },
  alreadyStopped: { code: codes.conflict, 'en-US': 'It is stopped already.', 'zh-CN': '它已经停止。' },
  notRunning: {
    code: codes.conflict,
    'en-US': 'It can {action} only while it is running; it is {status}.',
    'zh-CN': '只有在运行中才能执行“{action}”，当前状态为“{status}”。',
  },
  alreadyActive: { code: codes.conflict, 'en-US': 'It is activated already.', 'zh-CN': '它已经激活。' },
  notActiveYet: {
    code: codes.conflict,
    'en-US': 'It is not activated yet: its one-time password sets the first password.',
    'zh-CN': '它尚未激活，请用一次性密码设置首个密码。',
  },
  noOneTimePassword: {
    code: codes.conflict,
    'en-US': 'Its agent has not handed over a one-time password yet. This takes a moment after the install.',
    'zh-CN': '它的代理程序尚未交付一次性密码，安装完成后需要片刻。',
  },
  nothingToRetry: {
    code: codes.conflict,
    'en-US': 'Nothing failed: there is nothing to retry.',
    'zh-CN': '没有失败的步骤，无需重试。',
  },
  nothingToRepair: {
    code: codes.conflict,
    'en-US': 'The provider has this instance: there is nothing to repair.',
    'zh-CN': '提供方仍有这个实例，无需修复。',
  },
  tooLateToCancel: {
    code: codes.conflict,
    'en-US': 'Only what still waits for resources can be canceled; this is {status}. You can destroy it instead.',
    'zh-CN': '只有尚在等待资源时才能取消，当前状态为“{status}”。可以改为销毁。',
  },
  nothingUnpaid: { code: codes.conflict, 'en-US': 'No order waits for payment.', 'zh-CN': '没有待支付的订单。' },
  nothingToKeep: {
    code: codes.conflict,
    'en-US': 'Its destruction does not wait to be confirmed.',
    'zh-CN': '它没有等待确认的销毁请求。',
  },
  alreadyDestroying: { code: codes.conflict, 'en-US': 'It is being removed already.', 'zh-CN': '它已在移除中。' },
  workerSelfHosted: {
    code: codes.conflict,
    'en-US': 'A self-hosted cluster grows by running its join command on another machine of yours.',
    'zh-CN': '自托管集群通过在你的另一台机器上运行加入命令来扩展。',
  },
  tooManyWorkers: {
    code: codes.conflict,
    'en-US': 'This cluster would have {wanted} workers; {most} are the most it may have.',
    'zh-CN': '这样集群会有 {wanted} 个工作节点，最多允许 {most} 个。',
  },
  masterByCluster: {
    code: codes.conflict,
    'en-US': 'This is the master: it is destroyed only together with its cluster.',
    'zh-CN': '这是主节点，只能随集群一起销毁。',
  },
  clusterNotRunning: {
    code: codes.conflict,
    'en-US': 'Its cluster has to run for that; it is {status}.',
    'zh-CN': '需要所属集群处于运行中，当前状态为“{status}”。',
  },
  operationEnded: { code: codes.conflict, 'en-US': 'This operation has ended already.', 'zh-CN': '这个操作已经结束。' },
} as const
