import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from '../everything.ts'
import { type Call, defineCall, takesRequestId } from '../wire/call.ts'
import { needsSession } from '../wire/reach.ts'

const calls = Object.values(contract as Record<string, unknown>).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
)

describe('the calls of the contract', () => {
  test('exist, each name and path once', () => {
    expect(calls.length).toBeGreaterThan(10)
    expect(new Set(calls.map((call) => call.name)).size).toBe(calls.length)
    expect(new Set(calls.map((call) => call.path)).size).toBe(calls.length)
  })

  test.each(calls.map((call) => [call.name, call] as const))(
    '%s is exported under its name and can be described',
    (name, call) => {
      expect((contract as Record<string, unknown>)[name]).toBe(call)
      expect(call.path).toMatch(/^\/v[12]\//)
      expect(call.summary).toMatch(/\.$/)
      for (const schema of [call.body, call.data, call.page ?? call.data])
        expect(() => z.toJSONSchema(schema, { io: 'input' })).not.toThrow()
    },
  )

  test('of an account name the changes that concern them', () => {
    const unnamed = calls.filter(({ reach, topics }) => needsSession(reach) && topics === undefined)
    expect(unnamed.map(({ name }) => name)).toEqual([])
  })

  test('compile with a rate where they change something, and with the default one where they only read', () => {
    const one = { name: 'one', path: '/v1/one', reach: 'self', summary: 'One.' } as const
    expect(defineCall({ ...one, reads: true }).rate).toBe('read')
    // @ts-expect-error a call that changes something names its rate: the check of types fails where this compiles
    defineCall(one)
    expect(defineCall({ ...one, rate: 'change' }).rate).toBe('change')
  })

  test('say by their body whether a request carries a key', () => {
    expect([contract.clusterStart, contract.createCluster, contract.sessionRevoke].map(takesRequestId)).toEqual([
      true,
      true,
      false,
    ])
  })

  /** Programs of personal servers, which stay as they are, send them fields of their own (design/wire). */
  const tolerant: readonly Call[] = [contract.backupSave, contract.backupStop, contract.backupUsage]
  const strict = calls.filter((call) => needsSession(call.reach) && !tolerant.includes(call))
  test.each(strict.map((call) => [call.name, call] as const))('%s refuses a field it does not know', (_, call) => {
    // A body of several kinds is judged by the kind that it says it is.
    const kinds: Record<string, object[]> = {
      createCluster: contract.clusterTypes.map((clusterType) => ({ clusterType })),
      getEstimatedAmount: [{ kind: 'cluster' }, { kind: 'worker' }],
    }
    for (const kind of kinds[call.name] ?? [{}]) {
      const result = call.body.safeParse({ surprise: 1, ...kind })
      expect(result.error?.issues.some((issue) => issue.code === 'unrecognized_keys')).toBe(true)
    }
  })
})

describe('fields', () => {
  test.each([
    [contract.WireInt, '12', 12],
    [contract.WireInt, -3, -3],
    [contract.WireBool, 'true', true],
    [contract.WireBool, false, false],
  ])('form text and JSON value mean the same', (schema, input, value) => expect(schema.parse(input)).toBe(value))

  test.each([
    [contract.WireInt, ''],
    [contract.WireInt, '1.5'],
    [contract.WireInt, '1e3'],
    [contract.WireInt, '9'.repeat(16)],
    [contract.WireBool, '1'],
    [contract.ClusterId, 'in_abcdefgh'],
    [contract.ClusterId, 'cl_ABCDEFGH'],
    [contract.Did, 'did:key:z6Mk'],
    [contract.CompactJws, 'a.b'],
    [contract.CompactJws, 'a.b.c.d'],
    [contract.CompactJws, `a.${'b'.repeat(9000)}.c`],
    [contract.BindableName, 'r@atoll.test'],
    [contract.BindableName, 'Reef@atoll.test'],
    [contract.BindableName, 're-ef@atoll.test'],
    [contract.BindableName, `${'a'.repeat(64)}@atoll.test`],
    [contract.BindableName, 'reef@a@b'],
  ])('refuses $1 in a field', (schema, input) => expect(schema.safeParse(input).success).toBe(false))
})
