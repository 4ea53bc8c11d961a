import { expect, test } from 'vitest'
import { type AlertRule, groupRules, highestLevel, oldestProof, type WatchedCluster } from './rule-groups.ts'

const disk: AlertRule = {
  rule: 'disk',
  isOn: true,
  mail: true,
  threshold: 90,
  clearBelow: 85,
  forMinutes: 10,
}
const cluster = (name: string, rule: Partial<AlertRule> = {}, facts: Partial<WatchedCluster> = {}): WatchedCluster => ({
  clusterId: `cl_${name}`,
  name,
  isWatched: true,
  current: [],
  levels: [],
  oldestProof: null,
  rules: [{ ...disk, ...rule }],
  ...facts,
})
const alert = (state: 'pending' | 'firing') => ({
  rule: 'disk' as const,
  instanceId: 'in_1',
  instance: 'master',
  subject: null,
  state,
  since: '2026-06-01T00:00:00.000Z',
})
const shapes = (clusters: WatchedCluster[]) =>
  groupRules(clusters).map(({ clusters: here, state, isEvery }) => [here.map(({ name }) => name), state, isEvery])

test('clusters that are watched alike share a row; who differs has one of their own', () => {
  expect(shapes([cluster('a'), cluster('b')])).toEqual([[['a', 'b'], 'ok', true]])
  expect(shapes([cluster('a', { threshold: 70 }), cluster('b'), cluster('c')])).toEqual([
    [['b', 'c'], 'ok', false],
    [['a'], 'ok', false],
  ])
  expect(shapes([])).toEqual([])
})

test('a row says the worst: what fires before what may; off and muted only where nothing is', () => {
  const [pending, firing] = [{ current: [alert('pending')] }, { current: [alert('firing')] }]
  expect(shapes([cluster('a', {}, pending), cluster('b')])[0]?.[1]).toBe('pending')
  expect(shapes([cluster('a', {}, pending), cluster('b', {}, firing)])[0]?.[1]).toBe('firing')
  expect(shapes([cluster('a', { isOn: false }, firing)])[0]?.[1]).toBe('off')
  const still = { isWatched: false }
  expect(shapes([cluster('a', {}, still), cluster('b', {}, still)])[0]?.[1]).toBe('muted')
  expect(shapes([cluster('a', {}, still), cluster('b')])[0]?.[1]).toBe('ok')
  const both = groupRules([cluster('a', {}, pending), cluster('b', {}, firing)])[0]?.current
  expect(both?.map(({ cluster: { name }, state }) => [name, state])).toEqual([
    ['b', 'firing'],
    ['a', 'pending'],
  ])
})

test('the fullest of those that reported is shown', () => {
  const level = (value: number | null) => ({
    levels: [{ instanceId: 'in_1', instance: 'master', disk: value, memory: 1 }],
  })
  const clusters = [cluster('a', {}, level(40)), cluster('b', {}, level(61)), cluster('c', {}, level(null))]
  expect(highestLevel(clusters, 'disk')).toMatchObject({ value: 61, cluster: { name: 'b' } })
  expect(highestLevel([cluster('a')], 'disk')).toBeUndefined()
})

test('of the proofs the oldest is shown', () => {
  const proof = (days: number) => ({ oldestProof: { backup: `of ${days}`, days } })
  const clusters = [cluster('a', {}, proof(3)), cluster('b', {}, proof(43)), cluster('c')]
  expect(oldestProof(clusters)).toEqual({ backup: 'of 43', days: 43 })
  expect(oldestProof([cluster('a')])).toBeUndefined()
})
