/** The reasons for which a call about the deployment itself may be refused. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const systemRefusals = {
  catalogNotAsked: {
    code: codes.conflict,
    ...words(
      'The file of the catalogue counts here as soon as it is written: edit it (ATOLL_CATALOG_APPLY).',
      '此处目录文件写入后立即生效，请直接编辑文件（ATOLL_CATALOG_APPLY）。',
    ),
  },
  catalogChanged: {
    code: codes.conflict,
    ...words('The catalogue changed since you looked. Look again.', '查看后目录已变化，请重新查看。'),
  },
  catalogBroken: {
    code: codes.conflict,
    ...words('The file has a mistake: {problem}', '文件有错误：{problem}'),
  },
  limitsShared: {
    code: codes.conflict,
    ...words(
      'In the catalogue, this region shares these values with others. Write its own into the file and apply that.',
      '目录中此区域与其他内容共用这些值，请在文件中为它单独写出后再应用。',
    ),
  },
  overcommitRaised: {
    code: codes.conflict,
    ...words(
      'This lets a region sell more of its machines. Only the operator’s command applies it: atollctl catalog apply.',
      '此更改会让某个区域售出更多资源，只能由运营者用命令应用：atollctl catalog apply。',
    ),
  },
  memberGone: {
    code: codes.conflict,
    ...words('This machine is no member of the region any more.', '该机器已不属于此区域。'),
  },
  jobGone: {
    code: codes.conflict,
    ...words('This job runs again, was done or was discarded.', '该任务已再次运行、完成或被丢弃。'),
  },
  mailGone: {
    code: codes.conflict,
    ...words(
      'The text of this mail is not kept any more, so it cannot be sent again.',
      '此邮件的内容已不再保留，无法重新发送。',
    ),
  },
  noOperatorEmail: {
    code: codes.conflict,
    ...words('No address is set: ATOLL_OPERATOR_EMAIL.', '未设置地址：ATOLL_OPERATOR_EMAIL。'),
  },
  mailServerRefused: {
    code: codes.conflict,
    ...words('The mail server did not take it: {answer}', '邮件服务器未接收：{answer}'),
  },
  ownBackupByTimer: {
    code: codes.conflict,
    ...words(
      'Backups of this deployment are made by a timer of the machine: atollctl backup.',
      '本部署由机器的定时器备份：atollctl backup。',
    ),
  },
} as const satisfies Refusals
