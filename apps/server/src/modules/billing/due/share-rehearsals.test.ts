import { expect, test } from 'vitest'
import { createRehearsals } from './share-rehearsals.ts'

test('one of an account is played at a time, and who asks for the same meanwhile is answered with it', async () => {
  const { share } = createRehearsals()
  const played: string[] = []
  const play = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const begin = () => {
      played.push(name)
      return promise
    }
    return { resolve, reject, play: begin }
  }
  const [year, next, other] = [play('year'), play('next'), play('other')]
  const userid = 'did:key:a'
  const first = share({ userid, what: 'year' }, year.play)
  const same = share({ userid, what: 'year' }, play('never').play)
  const second = share({ userid, what: 'next' }, next.play)
  const elsewhere = share({ userid: 'did:key:b', what: 'year' }, other.play)
  other.resolve('of another')
  expect(await elsewhere).toBe('of another')
  expect(played).toEqual(['year', 'other'])
  // One that fails keeps nobody from playing.
  year.reject(new Error('silent'))
  await expect(first).rejects.toThrow('silent')
  await expect(same).rejects.toThrow('silent')
  next.resolve('a bill')
  expect(await second).toBe('a bill')
  const again = play('again')
  again.resolve('anew')
  expect(await share({ userid, what: 'year' }, again.play)).toBe('anew')
  expect(played).toEqual(['year', 'other', 'next', 'again'])
})
