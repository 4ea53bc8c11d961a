import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import {
  announcedTrailers,
  headersForInstance,
  passedTrailers,
  requestedHost,
  withoutHopByHop,
} from './forwarded-headers.ts'

/** The parts of a request that these functions read. */
function request(headers: IncomingHttpHeaders): IncomingMessage {
  return { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage
}

describe('the visitor', () => {
  const claimed = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2, 3.3.3.3', 'x-forwarded-proto': 'https' }

  test.each([
    [0, claimed, '10.0.0.1', 'http'],
    [1, claimed, '3.3.3.3', 'https'],
    [2, claimed, '2.2.2.2', 'https'],
    [9, claimed, '1.1.1.1', 'https'],
    [1, {}, '10.0.0.1', 'http'],
  ])('behind %d trusted proxies is believed so far and no further', (proxies, headers, address, scheme) => {
    expect(headersForInstance(request(headers), proxies)).toMatchObject({
      'x-forwarded-for': address,
      'x-forwarded-proto': scheme,
    })
  })
})

test('headers of the hop go, those that Connection names among them', () => {
  const headers = {
    connection: 'Keep-Alive, X-Mine',
    'keep-alive': '5',
    'x-mine': '1',
    'proxy-authorization': 'x',
    trailer: 'a',
    host: 'b',
    accept: 'c',
  }
  expect(withoutHopByHop(headers)).toEqual({ host: 'b', accept: 'c' })
})

test('what frames a message stays, though Connection names it', () => {
  const headers = { connection: 'content-length, Host', 'content-length': '5', host: 'b' }
  expect(withoutHopByHop(headers)).toEqual({ 'content-length': '5', host: 'b' })
})

test.each([
  ['reef.atoll.test', 'reef.atoll.test'],
  ['Reef.Atoll.Test:4802', 'reef.atoll.test'],
  ['reef.atoll.test.', 'reef.atoll.test'],
  ['reef.atoll.test.:65535', 'reef.atoll.test'],
])('the host %j is %j', (host, name) => {
  expect(requestedHost(request({ host }))).toBe(name)
})

test.each(['reef.atoll.test:65536', '[::1]:80', 'reef.atoll.test:80:80', 'a/b', ''])(
  'the host %j is none that is served',
  (host) => {
    expect(requestedHost(request({ host }))).toBeUndefined()
  },
)

test('a request without a host asks for none', () => {
  expect(requestedHost(request({ host: undefined }))).toBeUndefined()
})

test('trailers pass, but for what may stand in a head alone and what cannot be written', () => {
  const trailers = {
    'x-sum': 'é',
    'set-cookie': 'a=1',
    host: 'b',
    'x-forwarded-for': '6.6.6.6',
    te: 'x',
    'x-bad': 'a\u0001',
  }
  expect(passedTrailers({ trailers })).toEqual({ 'x-sum': 'é' })
  const announced = { trailer: 'X-Sum, Host,, x y', 'transfer-encoding': 'chunked' }
  expect(announcedTrailers({ headers: announced })).toEqual({ trailer: 'x-sum' })
  expect(announcedTrailers({ headers: { ...announced, 'content-length': '1' } })).toEqual({})
  expect(announcedTrailers({ headers: { trailer: 'x-sum' } })).toEqual({})
})
