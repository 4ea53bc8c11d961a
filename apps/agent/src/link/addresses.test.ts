import { expect, test } from 'vitest'
import { knownAddresses } from './addresses.ts'

test('what the control plane says comes before where the machine was born, which stays as the last', () => {
  let told: string[] | undefined
  const addresses = knownAddresses(() => told, 'http://old.example')
  expect(addresses.list()).toEqual(['http://old.example'])
  addresses.reached('http://old.example')
  told = ['https://new.example/', 'http://old.example']
  expect(addresses.list()).toEqual(['https://new.example', 'http://old.example'])
  expect(addresses.current()).toBe('http://old.example')
  addresses.reached('https://new.example')
  expect(addresses.current()).toBe('https://new.example')
})

test('an agent that was started with an encrypted address is led to no other', () => {
  const addresses = knownAddresses(() => ['http://new.example', 'https://new.example'], 'https://old.example')
  expect(addresses.list()).toEqual(['https://new.example', 'https://old.example'])
})
