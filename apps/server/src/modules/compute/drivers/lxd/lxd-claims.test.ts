import { expect, it } from 'vitest'
import { lxdClaims } from './lxd-claims.ts'
import type { LxdClient } from './lxd-client.ts'

/** LXD as far as a claim asks it, with a project of this deployment that has these profiles. */
function projectWith(...names: string[]) {
  const profiles = new Set(names)
  const client: Pick<LxdClient, 'find' | 'get' | 'change'> = {
    find: async (_, schema) => schema.parse({ name: 'atoll', config: { 'user.atoll.deployment': 'lagoon' } }),
    get: async (_, schema) => schema.parse([...profiles].map((name) => `/1.0/profiles/${name}?project=atoll`)),
    async change(method, path, options) {
      if (method === 'DELETE') profiles.delete(path.split('/').at(-1) ?? '')
      else if (options) profiles.add((options.body as { name: string }).name)
    },
  }
  return { profiles, claims: lxdClaims(client as LxdClient, 'atoll') }
}

it('keeps the series of documents beside the number, and a claim from before series were kept has none', async () => {
  const { profiles, claims } = projectWith('atoll-instance', 'atoll-number-7')
  expect(await claims.read()).toEqual({ deployment: 'lagoon', number: 7 })
  await claims.write({ deployment: 'lagoon', number: 8, series: 2 })
  expect([...profiles]).toEqual(['atoll-instance', 'atoll-number-8-series-2'])
  expect(await claims.read()).toEqual({ deployment: 'lagoon', number: 8, series: 2 })
  // Of a writer that was slower.
  await claims.write({ deployment: 'lagoon', number: 7, series: 1 })
  expect(await claims.read()).toEqual({ deployment: 'lagoon', number: 8, series: 2 })
})

it('of two writers at once the larger number counts, and of the same number the later series', async () => {
  const { claims } = projectWith('atoll-number-9', 'atoll-number-9-series-1', 'atoll-number-8-series-2')
  expect(await claims.read()).toEqual({ deployment: 'lagoon', number: 9, series: 1 })
})
