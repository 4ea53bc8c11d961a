import { expect, test } from 'vitest'
import { closeHanGaps } from './han-gaps.ts'

test.each([
  ['销毁 工作节点 1？', { name: '工作节点 1' }, '销毁工作节点 1？'],
  ['为 礁湖 添加工作节点', { name: '礁湖' }, '为礁湖添加工作节点'],
  ['销毁 Rangiroa？', { name: 'Rangiroa' }, '销毁 Rangiroa？'],
  ['停止 我的 礁湖？', { name: '我的 礁湖' }, '停止我的 礁湖？'],
  ['Destroy 礁湖?', { name: '礁湖' }, 'Destroy 礁湖?'],
  ['已用 3 天', { count: 3 }, '已用 3 天'],
])('%s with %j in it closes the gaps between Chinese words alone', (text, values, shown) => {
  expect(closeHanGaps(text, values)).toBe(shown)
})
