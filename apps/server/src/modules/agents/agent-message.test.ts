import type { AgentMessage } from '@atoll/contract/agents'
import { expect, test } from 'vitest'
import { readAgentMessage } from './agent-message.ts'

const line = '10:00:00 services'
const message = (lines: string[]): AgentMessage => ({
  type: 'state',
  protocol: 1,
  agentVersion: '1.0.0',
  bootId: 'boot',
  port: 8080,
  install: {
    state: 'running',
    taskId: 'task',
    reason: null,
    steps: [{ step: 'services', state: 'running', startedAt: null, endedAt: null, lines }],
  },
  osActive: false,
  oneTimePassword: null,
  tasks: [],
})

test('a line cut inside a character is read, with a mark in place of the half', () => {
  const cut = message([`${line} ${'🪸'.slice(0, 1)}`])
  expect(readAgentMessage(JSON.stringify(cut))).toEqual(message([`${line} \uFFFD`]))
})

test('whole characters are left alone', () => {
  const whole = message([`${line} 🪸 珊瑚`])
  expect(readAgentMessage(JSON.stringify(whole))).toEqual(whole)
})

test.each([
  ['cpu', Number.NaN],
  ['cpu', 1e300],
  ['memoryUsed', -1],
  ['netOut', 1e300],
  ['at', 0.5],
])('a measurement with %s %d is reported with the field', (field, value) => {
  const metrics = { at: 0, cpu: 0, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2, netIn: 0, netOut: 0 }
  const said = readAgentMessage(JSON.stringify({ type: 'metrics', metrics: { ...metrics, [field]: value } }))
  expect(said).toEqual({ type: 'refusedMetrics', fields: [`metrics.${field}`] })
})

test.each([
  ['no JSON', '{"type":"state"'],
  ['no message of the protocol', '{"type":"hello"}'],
  [
    'workloads by the thousand',
    JSON.stringify({
      ...message([line]),
      workloads: Array.from({ length: 1000 }, (_, at) => ({ name: `w${at}`, state: 'Completed', ready: 1, wanted: 1 })),
    }),
  ],
])('%s is refused', (_, text) => {
  expect(readAgentMessage(text)).toBeUndefined()
})

test('a message with a null character is refused by the name of its field, one that only writes the escape is not', () => {
  const said = (text: string) => readAgentMessage(JSON.stringify(message([`${line} ${text}`])))
  expect(said('\0')).toEqual({ type: 'unstorable', field: expect.stringMatching(/\.\d+$/) })
  expect(said('\\u0000')).toMatchObject({ type: 'state' })
})
